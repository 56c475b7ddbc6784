// expect: unsafe
// options: --objects 3
// The ring is dropped: its nodes hold one another.
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
    ring = NULL; // BAD: leak
    return 0;
}
