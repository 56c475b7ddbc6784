// expect: unsafe
// options: --objects 4
// Forgets that the key may be missing.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int key;
};

static struct node *create(void)
{
    struct node *ring = malloc(sizeof *ring);
    ring->key = __VERIFIER_nondet_int();
    ring->next = ring;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = __VERIFIER_nondet_int();
        fresh->next = ring->next;
        ring->next = fresh;
    }
    return ring;
}

static struct node *search(struct node *ring, int key)
{
    struct node *node = ring;
    do {
        if (node->key == key)
            return node;
        node = node->next;
    } while (node != ring);
    return NULL;
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
    int key = __VERIFIER_nondet_int();
    struct node *found = search(ring, key);
    assert(hw_reach(ring, found, next)); // BAD: shape
    assert(found->key == key);
    destroy(found);
    return 0;
}
