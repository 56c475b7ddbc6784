/* The queue of queue.c with one mistake: `take` forgets that the queue may run empty, and `last` then points to a node
 * that has been freed. The mistake shows only when somebody takes the last element and puts another one:
 *
 *     heapwright check examples/queue_buggy.c
 *     heapwright check --witness out examples/queue_buggy.c     (a C test that fails at the same line) */
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int value;
    struct node *next;
};

struct queue {
    struct node *first; /* null when the queue is empty */
    struct node *last;
};

static void put(struct queue *queue, int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = NULL;
    if (queue->last)
        queue->last->next = node; /* writes to the freed node */
    else
        queue->first = node;
    queue->last = node;
}

static int take(struct queue *queue)
{
    struct node *node = queue->first;
    int value = node->value;
    queue->first = node->next;
    /* missing: if (!queue->first) queue->last = NULL; */
    free(node);
    return value;
}

int main(void)
{
    struct queue queue = {NULL, NULL};
    int in = 0, out = 0;

    for (int step = 0; step < 4; step++) {
        if (queue.first && __VERIFIER_nondet_bool()) {
            int value = take(&queue);
            assert(value == out);
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
