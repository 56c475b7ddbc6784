// expect: unsafe
// options: --objects 5
// Leaves out every other node.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int seen;
};

static struct node *create(void)
{
    struct node *ring = malloc(sizeof *ring);
    ring->seen = 0;
    ring->next = ring;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->seen = 0;
        fresh->next = ring->next;
        ring->next = fresh;
    }
    return ring;
}

static void visit(struct node *ring)
{
    struct node *node = ring;
    do {
        node->seen = 1;
        node = node->next;
        if (node != ring)
            node = node->next;
    } while (node != ring);
}

static void destroy(struct node *ring)
{
    struct node *node = ring->next;
    while (node != ring) {
        struct node *next = node->next;
        assert(node->seen == 1); // BAD: assert
        free(node);
        node = next;
    }
    free(ring);
}

int main(void)
{
    struct node *ring = create();
    visit(ring);
    destroy(ring);
    return 0;
}
