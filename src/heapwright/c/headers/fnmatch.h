/* Patterns of file names. */
#ifndef HEAPWRIGHT_FNMATCH_H
#define HEAPWRIGHT_FNMATCH_H
#define FNM_NOMATCH 1
int fnmatch(const char *pattern, const char *name, int flags);
#endif
