// expect: safe
// explore: unknown
// options: --objects 4
// Makes one ring of two.
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

static void append(struct node *first, struct node *second)
{
    struct node *rest = first->next;
    first->next = second->next;
    second->next = rest;
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
    struct node *first = create();
    struct node *second = create();
    append(first, second);
    assert(hw_cyclic(first, next));
    assert(hw_reach(first, second, next));
    destroy(first);
    return 0;
}
