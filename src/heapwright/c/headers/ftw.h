/* Walks over file trees. */
#ifndef HEAPWRIGHT_FTW_H
#define HEAPWRIGHT_FTW_H
#include <sys/stat.h>
#define FTW_F 0
#define FTW_D 1
#define FTW_DNR 2
#define FTW_NS 3
#define FTW_SL 4
#define FTW_PHYS 1
#define FTW_DEPTH 8
struct FTW {
    int base;
    int level;
};
int ftw(const char *name, int (*visit)(const char *, const struct stat *, int), int descriptors);
int nftw(const char *name, int (*visit)(const char *, const struct stat *, int, struct FTW *), int descriptors, int flags);
#endif
