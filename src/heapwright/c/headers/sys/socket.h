/* Sockets. */
#ifndef HEAPWRIGHT_SYS_SOCKET_H
#define HEAPWRIGHT_SYS_SOCKET_H
#include <sys/types.h>
typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr {
    sa_family_t sa_family;
    char sa_data[14];
};
struct sockaddr_storage {
    sa_family_t ss_family;
    char ss_data[126];
};
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define PF_INET AF_INET
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_BROADCAST 6
#define SO_KEEPALIVE 9
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SOMAXCONN 4096
#define MSG_PEEK 2
#define MSG_DONTWAIT 0x40
#define MSG_NOSIGNAL 0x4000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
int socket(int domain, int type, int protocol);
int bind(int socket, const struct sockaddr *address, socklen_t size);
int listen(int socket, int backlog);
int accept(int socket, struct sockaddr *address, socklen_t *size);
int connect(int socket, const struct sockaddr *address, socklen_t size);
int shutdown(int socket, int how);
ssize_t send(int socket, const void *buffer, size_t size, int flags);
ssize_t sendto(int socket, const void *buffer, size_t size, int flags, const struct sockaddr *address, socklen_t length);
ssize_t recv(int socket, void *buffer, size_t size, int flags);
ssize_t recvfrom(int socket, void *buffer, size_t size, int flags, struct sockaddr *address, socklen_t *length);
int setsockopt(int socket, int level, int name, const void *value, socklen_t size);
int getsockopt(int socket, int level, int name, void *value, socklen_t *size);
int getsockname(int socket, struct sockaddr *address, socklen_t *size);
int getpeername(int socket, struct sockaddr *address, socklen_t *size);
#endif
