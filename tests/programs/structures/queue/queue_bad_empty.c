// expect: unsafe
// options: --objects 4
// Takes from a queue that may be empty.
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
        queue->tail->next = fresh;
    else
        queue->head = fresh;
    queue->tail = fresh;
}

static int dequeue(struct queue *queue)
{
    struct node *first = queue->head;
    int value = first->value; // BAD: null-deref
    queue->head = first->next;
    if (!queue->head)
        queue->tail = NULL;
    free(first);
    return value;
}

int main(void)
{
    struct queue queue = {NULL, NULL};
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            enqueue(&queue, 1);
        else
            dequeue(&queue);
    }
    while (queue.head)
        dequeue(&queue);
    return 0;
}
