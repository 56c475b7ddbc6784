// expect: unsafe
// Nodes of a ring hold each other: without a holder outside the ring is lost.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *ring = malloc(sizeof *ring);
    ring->next = malloc(sizeof *ring);
    ring->next->next = ring;
    ring = ring->next;
    ring = NULL; // BAD: leak
    return 0;
}
