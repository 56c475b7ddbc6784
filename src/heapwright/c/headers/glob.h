/* Files by patterns. */
#ifndef HEAPWRIGHT_GLOB_H
#define HEAPWRIGHT_GLOB_H
#include <stddef.h>
typedef struct {
    size_t gl_pathc;
    char **gl_pathv;
    size_t gl_offs;
} glob_t;
int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *result);
void globfree(glob_t *result);
#endif
