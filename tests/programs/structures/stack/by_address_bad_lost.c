// expect: unsafe
// options: --objects 4
// The rest of the stack is lost when an element is pushed.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static void push(struct node **top)
{
    struct node *fresh = malloc(sizeof *fresh);
    *top = fresh; // BAD: leak
    fresh->next = *top;
}

static void pop(struct node **top)
{
    struct node *old = *top;
    *top = old->next; // BAD: use-after-free
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
