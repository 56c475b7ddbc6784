// expect: unsafe
// options: --objects 5
// gcc: no after the leak it fails elsewhere
// Returns the old first node, which may be the deleted one.
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
        before = before->next;
    struct node *node = before->next;
    if (node == before) {
        free(node);
        return NULL;
    }
    before->next = node->next;
    free(node);
    return ring; // BAD: leak
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
    ring = delete(ring);
    assert(hw_cyclic(ring, next)); // BAD: shape
    if (ring)
        destroy(ring);
    return 0;
}
