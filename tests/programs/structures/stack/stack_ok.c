// expect: safe
// explore: unknown
// options: --objects 5
// A stack: elements are pushed and popped as the environment says.
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
    struct node *rest = top->next;
    free(top);
    return rest;
}

int main(void)
{
    struct node *top = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            top = push(top);
        else if (top)
            top = pop(top);
    }
    while (top)
        top = pop(top);
    return 0;
}
