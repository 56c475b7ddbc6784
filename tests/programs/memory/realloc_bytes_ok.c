// expect: safe
// A growing buffer whose type only the caller knows.
#include <assert.h>
#include <stdlib.h>

struct buffer {
    unsigned char *bytes;
    void *(*resize)(void *, size_t);
};

static void *grow(void *block, size_t size)
{
    return realloc(block, size);
}

int main(void)
{
    struct buffer b = {NULL, realloc};
    b.bytes = b.resize(b.bytes, 16);
    b.bytes[15] = 200;
    b.bytes = grow(b.bytes, 32);
    b.bytes = b.resize(b.bytes, 20);
    assert(b.bytes[15] == 200);
    free(b.bytes);
    return 0;
}
