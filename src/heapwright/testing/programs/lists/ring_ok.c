// expect: safe
// A ring of one or two nodes is opened and freed.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *ring = malloc(sizeof *ring);
    ring->next = ring;
    if (__VERIFIER_nondet_bool()) {
        ring->next = malloc(sizeof *ring);
        ring->next->next = ring;
    }
    struct node *other = ring->next;
    if (other != ring)
        free(other);
    free(ring);
    return 0;
}
