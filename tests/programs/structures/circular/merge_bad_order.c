// expect: unsafe
// options: --objects 5
// gcc: no after the leak it never ends
// Takes the link after it was overwritten.
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

static void merge(struct node *ring, struct node *other)
{
    struct node *at = ring;
    while (other->next != other) {
        struct node *taken = other->next;
        taken->next = at->next; // BAD: leak
        other->next = taken->next;
        at->next = taken;
        if (__VERIFIER_nondet_int())
            at = at->next; // BAD: leak
    }
    free(other);
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
    merge(ring, create());
    assert(hw_cyclic(ring, next));
    destroy(ring);
    return 0;
}
