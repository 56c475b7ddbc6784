// expect: safe
// explore: unknown
// options: --objects 5
// Makes two rings of one, cut at any place.
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

static struct node *split(struct node *ring)
{
    struct node *end = ring;
    while (end->next != ring && __VERIFIER_nondet_int())
        end = end->next;
    if (end->next == ring)
        return NULL;
    struct node *other = end->next, *last = other;
    while (last->next != ring)
        last = last->next;
    end->next = ring;
    last->next = other;
    return other;
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
    struct node *other = split(ring);
    assert(hw_cyclic(ring, next));
    assert(hw_cyclic(other, next));
    destroy(ring);
    if (other)
        destroy(other);
    return 0;
}
