/* Waiting for descriptors. */
#ifndef HEAPWRIGHT_POLL_H
#define HEAPWRIGHT_POLL_H
#define POLLIN 1
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
typedef unsigned long nfds_t;
struct pollfd {
    int fd;
    short events;
    short revents;
};
int poll(struct pollfd *descriptors, nfds_t count, int timeout);
#endif
