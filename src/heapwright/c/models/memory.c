/* Blocks of bytes: comparison and search. Copying and setting are built in. */
#include <stddef.h>

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
