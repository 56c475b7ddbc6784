/* Threads. */
#ifndef HEAPWRIGHT_THREADS_H
#define HEAPWRIGHT_THREADS_H
#include <time.h>
#define thread_local _Thread_local
typedef unsigned long thrd_t;
typedef struct {
    int state;
} mtx_t;
typedef struct {
    int state;
} cnd_t;
typedef int once_flag;
typedef int (*thrd_start_t)(void *);
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };
#define ONCE_FLAG_INIT 0
int thrd_create(thrd_t *thread, thrd_start_t function, void *argument);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);
thrd_t thrd_current(void);
int thrd_equal(thrd_t left, thrd_t right);
__attribute__((__noreturn__)) void thrd_exit(int result);
void thrd_yield(void);
int thrd_sleep(const struct timespec *wanted, struct timespec *rest);
int mtx_init(mtx_t *mutex, int type);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);
void mtx_destroy(mtx_t *mutex);
int cnd_init(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
void cnd_destroy(cnd_t *condition);
void call_once(once_flag *flag, void (*function)(void));
#endif
