/* Blocks of bytes. `__hw_bytes_*` are what memcpy, memmove and memset come down to where the blocks are arrays of
 * characters; whole objects are copied by the front end itself. */
#include <stddef.h>

void *__hw_bytes_copy(void *target, const void *source, size_t size)
{
    char *to = target;
    const char *from = source;
    size_t i;
    for (i = 0; i < size; i++)
        to[i] = from[i];
    return target;
}

/* Overlapping blocks. The order of pointers into different arrays is not defined, so that the bytes pass through a copy
 * of their own. */
void *__hw_bytes_move(void *target, const void *source, size_t size)
{
    char *to = target;
    const char *from = source;
    char *copy;
    size_t i;
    if (size == 0)
        return target;
    copy = __builtin_alloca(size);
    for (i = 0; i < size; i++)
        copy[i] = from[i];
    for (i = 0; i < size; i++)
        to[i] = copy[i];
    return target;
}

void *__hw_bytes_set(void *target, int byte, size_t size)
{
    char *to = target;
    size_t i;
    for (i = 0; i < size; i++)
        to[i] = (char)byte;
    return target;
}

int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *first = left;
    const unsigned char *second = right;
    size_t i;
    for (i = 0; i < size; i++)
        if (first[i] != second[i])
            return (int)first[i] - (int)second[i];
    return 0;
}

void *memchr(const void *block, int byte, size_t size)
{
    const unsigned char *bytes = block;
    size_t i;
    for (i = 0; i < size; i++)
        if (bytes[i] == (unsigned char)byte)
            return (void *)(bytes + i);
    return NULL;
}
