/* Expansion of words as the shell does it. */
#ifndef HEAPWRIGHT_WORDEXP_H
#define HEAPWRIGHT_WORDEXP_H
#include <stddef.h>
typedef struct {
    size_t we_wordc;
    char **we_wordv;
    size_t we_offs;
} wordexp_t;
#define WRDE_NOCMD 4
int wordexp(const char *words, wordexp_t *result, int flags);
void wordfree(wordexp_t *result);
#endif
