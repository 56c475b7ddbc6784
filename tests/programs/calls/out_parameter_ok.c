// expect: safe
// options: --malloc-may-fail
// Status as the result, the block through a parameter.
#include <stdlib.h>

struct buffer {
    char *bytes;
    int size;
};

static int make(struct buffer **out, int size)
{
    struct buffer *b = malloc(sizeof *b);
    if (!b)
        return -1;
    b->bytes = malloc(size);
    if (!b->bytes) {
        free(b);
        return -1;
    }
    b->size = size;
    *out = b;
    return 0;
}

int main(void)
{
    struct buffer *b;
    if (make(&b, 4) != 0)
        return 1;
    b->bytes[b->size - 1] = 0;
    free(b->bytes);
    free(b);
    return 0;
}
