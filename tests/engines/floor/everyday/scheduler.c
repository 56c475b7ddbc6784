// A round-robin scheduler: waiting tasks are indices in a ring, tasks a table.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { TASKS = 8 };

struct task {
    int left;
    int *result;
};

struct ring {
    unsigned items[TASKS];
    unsigned head, count;
};

static struct task tasks[TASKS];

static int enqueue(struct ring *r, unsigned task)
{
    if (r->count == TASKS)
        return 0;
    r->items[(r->head + r->count) % TASKS] = task; // seeded bounds: r->items[r->head + r->count] = task;
    r->count++;
    return 1;
}

static int dequeue(struct ring *r, unsigned *task)
{
    if (r->count == 0)
        return 0;
    *task = r->items[r->head];
    r->head = (r->head + 1) % TASKS; // seeded bounds: r->head = (r->head + 1) % (TASKS + 1);
    r->count--;
    return 1;
}

int main(void)
{
    struct ring waiting = {{0}, 0, 0};
    unsigned now;
    int steps = 0;

    for (unsigned i = 0; i < TASKS; i++) {
        tasks[i].left = __VERIFIER_nondet_int() & 3;
        tasks[i].result = NULL;
        enqueue(&waiting, i);
    }
    while (steps++ < 40 && dequeue(&waiting, &now)) {
        if (now >= TASKS)
            continue;
        if (tasks[now].left == 0) {
            if (!tasks[now].result)
                tasks[now].result = malloc(sizeof(int));
            *tasks[now].result = steps; // seeded null-deref: *tasks[(now + 1) % TASKS].result = steps;
        } else {
            tasks[now].left--;
            enqueue(&waiting, now);
        }
    }
    for (unsigned i = 0; i < TASKS; i++)
        free(tasks[i].result);
    return 0;
}
