/* Regular expressions. */
#ifndef HEAPWRIGHT_REGEX_H
#define HEAPWRIGHT_REGEX_H
#include <stddef.h>
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOMATCH 1
typedef struct {
    size_t re_nsub;
    void *compiled;
} regex_t;
typedef int regoff_t;
typedef struct {
    regoff_t rm_so;
    regoff_t rm_eo;
} regmatch_t;
int regcomp(regex_t *result, const char *pattern, int flags);
int regexec(const regex_t *compiled, const char *text, size_t count, regmatch_t *matches, int flags);
size_t regerror(int code, const regex_t *compiled, char *buffer, size_t size);
void regfree(regex_t *compiled);
#endif
