// expect: unsafe
// options: --objects 5
// Forgets that the node may be the only one.
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

static struct node *delete(struct node *ring)
{
    struct node *before = ring;
    while (__VERIFIER_nondet_int())
        before = before->next; // BAD: use-after-free
    struct node *node = before->next; // BAD: use-after-free
    before->next = node->next;
    free(node);
    return before;
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
    struct node *ring = create();
    while (ring && __VERIFIER_nondet_int())
        ring = delete(ring);
    assert(hw_cyclic(ring, next)); // BAD: shape
    if (ring)
        destroy(ring);
    return 0;
}
