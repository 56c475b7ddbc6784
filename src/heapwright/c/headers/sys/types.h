/* System data types. */
#ifndef HEAPWRIGHT_SYS_TYPES_H
#define HEAPWRIGHT_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef long time_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned int useconds_t;
typedef long suseconds_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned int uint;
#endif
