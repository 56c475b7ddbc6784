/* A doubly linked list of any length is built at its end, and freed from its head. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
};

static struct node *new_node(struct node *prev)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = 0;
    fresh->prev = prev;
    return fresh;
}

int main(void)
{
    struct node *x = new_node(0), *y = x, *z;
    while (__VERIFIER_nondet_int()) {
        y->next = new_node(y);
        y = y->next;
    }
    while (x) {
        z = x;
        x = x->next;
        if (x)
            x->prev = 0;
        free(z);
    }
    return 0;
}
