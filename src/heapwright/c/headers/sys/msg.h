/* Messages between processes. */
#ifndef HEAPWRIGHT_SYS_MSG_H
#define HEAPWRIGHT_SYS_MSG_H
#include <stddef.h>
#include <sys/ipc.h>
struct msqid_ds {
    struct ipc_perm msg_perm;
    unsigned long msg_qnum;
};
int msgget(key_t key, int flags);
int msgsnd(int identifier, const void *message, size_t size, int flags);
ssize_t msgrcv(int identifier, void *message, size_t size, long type, int flags);
int msgctl(int identifier, int command, struct msqid_ds *data);
#endif
