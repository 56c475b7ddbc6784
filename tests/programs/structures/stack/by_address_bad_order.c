// expect: unsafe
// options: --objects 4
// Frees the top before its link is read.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static void push(struct node **top)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = *top;
    *top = fresh;
}

static void pop(struct node **top)
{
    struct node *old = *top;
    free(old); // BAD: leak
    *top = old->next; // BAD: use-after-free
}

int main(void)
{
    struct node *stack = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            push(&stack);
        else if (stack)
            pop(&stack);
    }
    while (stack)
        pop(&stack);
    return 0;
}
