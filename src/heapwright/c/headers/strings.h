/* String comparison without regard to case, and the old names of block operations. */
#ifndef HEAPWRIGHT_STRINGS_H
#define HEAPWRIGHT_STRINGS_H

typedef __SIZE_TYPE__ size_t;

int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t size);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);
char *index(const char *text, int character);
char *rindex(const char *text, int character);
#define bcmp(left, right, size) memcmp((left), (right), (size))
#define bcopy(source, target, size) ((void)memmove((target), (source), (size)))
#define bzero(target, size) ((void)memset((target), 0, (size)))

#include <string.h>

#endif
