/* Waiting for descriptors. */
#ifndef HEAPWRIGHT_SYS_SELECT_H
#define HEAPWRIGHT_SYS_SELECT_H
#include <sys/time.h>
#include <sys/types.h>
#define FD_SETSIZE 1024
typedef struct {
    unsigned long bits[FD_SETSIZE / (8 * sizeof(unsigned long))];
} fd_set;
#define HEAPWRIGHT_FD_WORD (8 * (int)sizeof(unsigned long))
#define FD_ZERO(set) (*(set) = (fd_set){{0}})
#define FD_SET(n, set) ((void)((set)->bits[(n) / HEAPWRIGHT_FD_WORD] |= 1UL << (n) % HEAPWRIGHT_FD_WORD))
#define FD_CLR(n, set) ((void)((set)->bits[(n) / HEAPWRIGHT_FD_WORD] &= ~(1UL << (n) % HEAPWRIGHT_FD_WORD)))
#define FD_ISSET(n, set) (((set)->bits[(n) / HEAPWRIGHT_FD_WORD] >> (n) % HEAPWRIGHT_FD_WORD & 1) != 0)
int select(int count, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *timeout);
#endif
