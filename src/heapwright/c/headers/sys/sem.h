/* Semaphores that processes share. */
#ifndef HEAPWRIGHT_SYS_SEM_H
#define HEAPWRIGHT_SYS_SEM_H
#include <stddef.h>
#include <sys/ipc.h>
#define SETVAL 16
#define GETVAL 12
struct sembuf {
    unsigned short sem_num;
    short sem_op;
    short sem_flg;
};
int semget(key_t key, int count, int flags);
int semop(int identifier, struct sembuf *operations, size_t count);
int semctl(int identifier, int number, int command, ...);
#endif
