/* Limits and small macros. */
#ifndef HEAPWRIGHT_SYS_PARAM_H
#define HEAPWRIGHT_SYS_PARAM_H
#include <limits.h>
#include <sys/types.h>
#ifndef MAXPATHLEN
#define MAXPATHLEN 4096
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
