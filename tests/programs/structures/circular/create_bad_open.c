// expect: unsafe
// options: --objects 5
// The ring is never closed.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *create(void)
{
    struct node *ring = malloc(sizeof *ring), *last = ring;
    while (__VERIFIER_nondet_int()) {
        last->next = malloc(sizeof *last);
        last = last->next;
    }
    last->next = NULL;
    return ring;
}

static void destroy(struct node *ring)
{
    struct node *node = ring->next;
    while (node != ring) {
        struct node *next = node->next; // BAD: null-deref
        free(node);
        node = next;
    }
    free(ring);
}

int main(void)
{
    struct node *ring = create();
    destroy(ring);
    return 0;
}
