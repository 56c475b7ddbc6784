/* Options of TCP. */
#ifndef HEAPWRIGHT_NETINET_TCP_H
#define HEAPWRIGHT_NETINET_TCP_H
#define TCP_NODELAY 1
#endif
