// expect: safe
#include <assert.h>
#include <stdlib.h>

static int interpret(const char *code)
{
    static void *const table[] = {&&stop, &&add, &&twice};
    int value = 1;
    void *next;
#define NEXT() goto *table[*code++ - '0']
    NEXT();
add:
    value++;
    NEXT();
twice:
    value *= 2;
    next = *code == '1' ? &&add : table[0];
    code++;
    goto *next;
stop:
    return value;
}

int main(void)
{
    assert(interpret("0") == 1);
    assert(interpret("11210") == 7);
    int *block = malloc(sizeof *block);
    {
        void *out = &&done;
        *block = interpret("120");
        goto *out;
    }
done:
    assert(*block == 4);
    free(block);
    return 0;
}
