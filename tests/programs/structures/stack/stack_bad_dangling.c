// expect: unsafe
// options: --objects 5
// The result of pop is ignored: the top is a freed node.
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
    struct node *rest = top->next; // BAD: use-after-free
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
            pop(top); // BAD: leak
    }
    while (top)
        top = pop(top);
    return 0;
}
