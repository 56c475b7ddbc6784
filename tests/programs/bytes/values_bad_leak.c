// expect: unsafe
// Values that are numbers or strings, copied whole: the string is freed, or lost with the copy.
#include <assert.h>
#include <stdlib.h>

struct value {
    int tag;
    union { long number; char *text; double real; } as;
};

static struct value number(long n)
{
    struct value v;
    v.tag = 0;
    v.as.number = n;
    return v;
}

static struct value text(char first)
{
    struct value v;
    v.tag = 1;
    v.as.text = malloc(2);
    v.as.text[0] = first;
    return v;
}

int main(void)
{
    struct value values[3];
    values[0] = number(4);
    values[1] = text('a');
    values[2] = values[1];
    assert(values[2].as.text[0] == 'a');
    values[1] = values[0];
    assert(values[1].as.number == 4);
    free(values[2].as.text);
    values[2].as.text = malloc(1);
    values[2].as.number = 1; // BAD: leak
    return 0;
}
