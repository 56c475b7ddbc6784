/* Memory that processes share. */
#ifndef HEAPWRIGHT_SYS_SHM_H
#define HEAPWRIGHT_SYS_SHM_H
#include <stddef.h>
#include <sys/ipc.h>
struct shmid_ds {
    struct ipc_perm shm_perm;
    size_t shm_segsz;
    unsigned long shm_nattch;
};
int shmget(key_t key, size_t size, int flags);
void *shmat(int identifier, const void *address, int flags);
int shmdt(const void *address);
int shmctl(int identifier, int command, struct shmid_ds *data);
#endif
