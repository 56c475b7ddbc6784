// expect: unsafe
// options: --objects 5
// Sets the two links in the wrong order.
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

static void insert(struct node *ring)
{
    struct node *before = ring;
    while (__VERIFIER_nondet_int())
        before = before->next;
    struct node *fresh = malloc(sizeof *fresh);
    before->next = fresh; // BAD: leak
    fresh->next = before->next;
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
    insert(ring);
    assert(hw_cyclic(ring, next)); // BAD: shape
    destroy(ring);
    return 0;
}
