// expect: safe
// explore: unknown
// options: --objects 4
// A stack whose operations get the address of the pointer to its top.
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
    *top = old->next;
    free(old);
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
