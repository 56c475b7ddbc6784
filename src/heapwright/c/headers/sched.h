/* Scheduling. */
#ifndef HEAPWRIGHT_SCHED_H
#define HEAPWRIGHT_SCHED_H
int sched_yield(void);
#endif
