// expect: unsafe
// options: --objects 4
// When the last element leaves, the tail still points to it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

struct queue {
    struct node *head;
    struct node *tail;
};

static void enqueue(struct queue *queue, int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = NULL;
    if (queue->tail)
        queue->tail->next = fresh; // BAD: use-after-free
    else
        queue->head = fresh;
    queue->tail = fresh;
}

static int dequeue(struct queue *queue)
{
    struct node *first = queue->head;
    int value = first->value;
    queue->head = first->next;
    free(first);
    return value;
}

int main(void)
{
    struct queue queue = {NULL, NULL};
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            enqueue(&queue, 1);
        else if (queue.head)
            dequeue(&queue);
    }
    while (queue.head)
        dequeue(&queue);
    return 0;
}
