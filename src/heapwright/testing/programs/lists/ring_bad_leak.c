// expect: unsafe
// Objects of a ring hold one another, and nothing else does.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *ring = malloc(sizeof *ring);
    ring->next = malloc(sizeof *ring);
    ring->next->next = ring;
    ring = NULL; // BAD: leak
    return 0;
}
