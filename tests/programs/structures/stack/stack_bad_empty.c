// expect: unsafe
// options: --objects 5
// Pops from a stack that may be empty.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *push(struct node *top)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = top;
    return fresh;
}

static struct node *pop(struct node *top)
{
    struct node *rest = top->next; // BAD: null-deref
    free(top);
    return rest;
}

int main(void)
{
    struct node *top = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            top = push(top);
        else
            top = pop(top);
    }
    while (top)
        top = pop(top);
    return 0;
}
