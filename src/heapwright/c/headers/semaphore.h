/* Semaphores. */
#ifndef HEAPWRIGHT_SEMAPHORE_H
#define HEAPWRIGHT_SEMAPHORE_H
typedef struct {
    int value;
} sem_t;
int sem_init(sem_t *semaphore, int shared, unsigned int value);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_post(sem_t *semaphore);
int sem_destroy(sem_t *semaphore);
#endif
