// expect: safe
// A ring of up to three nodes: walked once round, then opened and freed.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *ring = malloc(sizeof *ring);
    int made = 1, seen = 0;
    ring->next = ring;
    while (made < 3 && __VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = ring->next;
        ring->next = fresh;
        made++;
    }
    struct node *p = ring;
    do {
        seen++;
        p = p->next;
    } while (p != ring);
    assert(seen == made);
    p = ring->next;
    ring->next = NULL;
    while (p) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
    return 0;
}
