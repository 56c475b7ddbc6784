/* A list of any length is built at its end, and freed from its head. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *new_node(void)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = 0;
    return fresh;
}

int main(void)
{
    struct node *x = new_node(), *y = x, *z;
    while (__VERIFIER_nondet_int()) {
        y->next = new_node();
        y = y->next;
    }
    do {
        z = x;
        x = x->next;
        free(z);
    } while (x);
    return 0;
}
