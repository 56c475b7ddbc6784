/* Times of files. */
#ifndef HEAPWRIGHT_UTIME_H
#define HEAPWRIGHT_UTIME_H
#include <sys/types.h>
struct utimbuf {
    time_t actime;
    time_t modtime;
};
int utime(const char *name, const struct utimbuf *times);
#endif
