// expect: unsafe
// options: --objects 5
// The first node keeps its old link: the ring is not closed again.
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

static void reverse(struct node *ring)
{
    struct node *before = ring, *node = ring->next;
    while (node != ring) {
        struct node *rest = node->next;
        node->next = before;
        before = node;
        node = rest;
    }
} // BAD: leak

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
    reverse(ring);
    assert(hw_cyclic(ring, next));
    destroy(ring);
    return 0;
}
