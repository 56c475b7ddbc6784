/* Keys of what processes share. */
#ifndef HEAPWRIGHT_SYS_IPC_H
#define HEAPWRIGHT_SYS_IPC_H
#include <sys/types.h>
typedef int key_t;
#define IPC_CREAT 512
#define IPC_EXCL 1024
#define IPC_RMID 0
#define IPC_SET 1
#define IPC_STAT 2
#define IPC_PRIVATE ((key_t)0)
struct ipc_perm {
    key_t key;
    uid_t uid;
    gid_t gid;
    mode_t mode;
};
key_t ftok(const char *name, int project);
#endif
