// expect: safe
// A header before a flexible array, found again by its offset.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct text {
    unsigned length;
    char bytes[];
};

static struct text *header(char *bytes)
{
    return (struct text *)(bytes - offsetof(struct text, bytes));
}

int main(void)
{
    struct text *t = malloc(sizeof *t + 10);
    t->length = 9;
    t->bytes[0] = 0;
    assert(header(t->bytes)->length == 9);
    free(header(t->bytes));
    return 0;
}
