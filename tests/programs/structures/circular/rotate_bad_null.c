// expect: unsafe
// options: --objects 5
// Cuts the ring behind its beginning while it goes on.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *create(void)
{
    struct node *ring = malloc(sizeof *ring);
    ring->next = ring;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = ring->next;
        ring->next = fresh;
    }
    return ring;
}

static void destroy(struct node *ring)
{
    struct node *node = ring->next;
    while (node != ring) {
        struct node *next = node->next;
        free(node);
        node = next;
    }
    free(ring);
}

int main(void)
{
    struct node *ring = create(), *old = ring;
    while (__VERIFIER_nondet_int()) {
        ring = ring->next; // BAD: leak, null-deref
        old->next = NULL;
    }
    assert(hw_reach(ring, old, next)); // BAD: shape
    assert(hw_cyclic(ring, next)); // BAD: shape
    destroy(ring);
    return 0;
}
