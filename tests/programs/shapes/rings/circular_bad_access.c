// expect: unsafe
// options: --objects 3
// The first node is freed before the others.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *ring = malloc(sizeof *ring);
    ring->next = ring;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = ring->next;
        ring->next = node;
    }
    struct node *node = ring->next;
    free(ring);
    ring->next = NULL; // BAD: use-after-free
    while (node != ring) {
        struct node *next = node->next;
        free(node);
        node = next;
    }
    free(ring);
    return 0;
}
