/* Blocks of bytes: comparison and search. Copying and setting are built in. */
#include "intrinsics.h"
#include <stddef.h>

/* Blocks are read to their ends, also where the result is known before. */
static void read_both(const unsigned char *left, const unsigned char *right, size_t last)
{
    unsigned char first = left[last];
    unsigned char second = right[last];
    (void)first;
    (void)second;
}

int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *first = left;
    const unsigned char *second = right;
    size_t i;
    if (size > 0)
        read_both(first, second, size - 1);
    for (i = 0; i < size; i++)
        if (first[i] != second[i])
            return SIGN((int)first[i] - (int)second[i]);
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

void *memrchr(const void *block, int byte, size_t size)
{
    const unsigned char *bytes = block;
    size_t i;
    for (i = size; i > 0; i--)
        if (bytes[i - 1] == (unsigned char)byte)
            return (void *)(bytes + i - 1);
    return NULL;
}

void *memmem(const void *block, size_t size, const void *part, size_t length)
{
    const unsigned char *bytes = block;
    const unsigned char *wanted = part;
    size_t i;
    size_t j;
    if (size > 0 && length > 0) {
        unsigned char last = bytes[size - 1];
        (void)last;
    }
    for (i = 0; length <= size && i <= size - length; i++) {
        for (j = 0; j < length; j++)
            if (bytes[i + j] != wanted[j])
                break;
        if (j == length)
            return (void *)(bytes + i);
    }
    return NULL;
}

void *mempcpy(void *target, const void *source, size_t size)
{
    memcpy(target, source, size);
    return (unsigned char *)target + size;
}
