// expect: unsafe
// options: --objects 3
// The queue is freed before its nodes.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

struct queue {
    struct node *first;
    struct node *last;
};

int main(void)
{
    struct queue *queue = malloc(sizeof *queue);
    queue->first = NULL;
    queue->last = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct node *node = malloc(sizeof *node);
            node->next = NULL;
            if (queue->first)
                queue->last->next = node;
            else
                queue->first = node;
            queue->last = node;
        } else if (queue->first) {
            struct node *node = queue->first;
            queue->first = node->next;
            free(node);
        }
    }
    free(queue); // BAD: leak
    return 0;
}
