/* Integers: absolute values, and numbers read from text (without signs of overflow, which C leaves undefined). */
#include <stdlib.h>

int abs(int value)
{
    return value < 0 ? -value : value;
}

long labs(long value)
{
    return value < 0 ? -value : value;
}

long long llabs(long long value)
{
    return value < 0 ? -value : value;
}

long atol(const char *text)
{
    size_t i = 0;
    int negative = 0;
    long value = 0;
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-' || text[i] == '+') {
        negative = text[i] == '-';
        i++;
    }
    while (text[i] >= '0' && text[i] <= '9') {
        value = value * 10 + (text[i] - '0');
        i++;
    }
    return negative ? -value : value;
}

int atoi(const char *text)
{
    return (int)atol(text);
}

long long atoll(const char *text)
{
    return atol(text);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return malloc(size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    void *block;
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return 22;
    block = malloc(size);
    if (block == NULL)
        return 12;
    *result = block;
    return 0;
}

void *reallocarray(void *block, size_t count, size_t size)
{
    if (size != 0 && count > (size_t)-1 / size)
        return NULL;
    return realloc(block, count * size);
}

void *memalign(size_t alignment, size_t size)
{
    return malloc(size);
}

void *valloc(size_t size)
{
    return malloc(size);
}

void *_mm_malloc(size_t size, size_t alignment)
{
    return malloc(size);
}

void _mm_free(void *block)
{
    free(block);
}
