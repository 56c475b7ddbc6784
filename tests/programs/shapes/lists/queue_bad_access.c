// expect: unsafe
// options: --objects 3
// The last node is used though it may be freed.
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
            if (queue->last)
                queue->last->next = node; // BAD: use-after-free
            else
                queue->first = node;
            queue->last = node;
        } else if (queue->first) {
            struct node *node = queue->first;
            queue->first = node->next;
            free(node);
        }
    }
    while (queue->first) {
        struct node *node = queue->first;
        queue->first = node->next;
        free(node);
    }
    free(queue);
    return 0;
}
