/* A queue: first in, first out. heapwright proves it:
 *
 *     heapwright check examples/queue.c
 *
 * The program is exercised by a main that makes up to four steps, each put or take as the environment likes. heapwright
 * looks at all ways in which that can go. queue_buggy.c is the same program with one line missing. */
#include <assert.h>
#include <stdlib.h>

/* An input: heapwright tries both values. Under an ordinary compiler, link with a function of your own. */
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
        queue->last->next = node;
    else
        queue->first = node;
    queue->last = node;
}

static int take(struct queue *queue)
{
    struct node *node = queue->first;
    int value = node->value;
    queue->first = node->next;
    if (!queue->first)
        queue->last = NULL;
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
            assert(value == out); /* they come out as they went in */
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
