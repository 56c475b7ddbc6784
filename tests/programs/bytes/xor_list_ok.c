// expect: safe
// explore: unknown
// What an exclusive or of two addresses means is not followed; nothing is violated.
#include <stdint.h>
#include <stdlib.h>

struct node { uintptr_t link; };

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->link = 0 ^ (uintptr_t)b;
    b->link = (uintptr_t)a ^ 0;
    struct node *next = (struct node *)((uintptr_t)a->link ^ 0), *last = (struct node *)(next->link ^ (uintptr_t)a);
    while (last)
        last = NULL;
    free(a);
    free(b);
    return 0;
}
