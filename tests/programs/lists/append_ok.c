// expect: safe
// A queue with a pointer to its last node.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int value;
    struct node *next;
};

struct queue {
    struct node *first;
    struct node *last;
};

static void put(struct queue *queue, int value)
{
    struct node *fresh = malloc(sizeof(struct node));
    fresh->value = value;
    fresh->next = NULL;
    if (queue->last)
        queue->last->next = fresh;
    else
        queue->first = fresh;
    queue->last = fresh;
}

static int take(struct queue *queue)
{
    struct node *old = queue->first;
    int value = old->value;
    queue->first = old->next;
    if (!queue->first)
        queue->last = NULL;
    free(old);
    return value;
}

int main(void)
{
    struct queue queue = {NULL, NULL};
    int in = 0, out = 0;
    while (in < 3) {
        if (queue.first && __VERIFIER_nondet_bool()) {
            assert(take(&queue) == out);
            out++;
        } else {
            put(&queue, in);
            in++;
        }
    }
    while (queue.first)
        take(&queue);
    return 0;
}
