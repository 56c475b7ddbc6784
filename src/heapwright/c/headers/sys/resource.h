/* Use of resources. */
#ifndef HEAPWRIGHT_SYS_RESOURCE_H
#define HEAPWRIGHT_SYS_RESOURCE_H
#include <sys/time.h>
#include <sys/types.h>
#define RUSAGE_SELF 0
#define RLIMIT_STACK 3
#define RLIMIT_NOFILE 7
typedef unsigned long rlim_t;
struct rlimit {
    rlim_t rlim_cur;
    rlim_t rlim_max;
};
struct rusage {
    struct timeval ru_utime;
    struct timeval ru_stime;
    long ru_maxrss;
};
int getrusage(int who, struct rusage *result);
int getrlimit(int resource, struct rlimit *result);
int setrlimit(int resource, const struct rlimit *limit);
#endif
