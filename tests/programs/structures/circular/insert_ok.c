// expect: safe
// explore: unknown
// options: --objects 5
// Inserts a node behind any other one.
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
    fresh->next = before->next;
    before->next = fresh;
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
    assert(hw_cyclic(ring, next));
    destroy(ring);
    return 0;
}
