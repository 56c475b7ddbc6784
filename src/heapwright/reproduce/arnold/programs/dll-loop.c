/* Figure 1 of the paper: builds a doubly linked list of any length, then goes through it. */
#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *n;
    struct node *p;
};

static struct node *x; /* global, so that the list is no leak when the program ends */

int main(void)
{
    int length = 0;
    x = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *y = malloc(sizeof *y);
        y->value = __VERIFIER_nondet_int();
        y->p = NULL;
        if (x != NULL)
            x->p = y;
        y->n = x;
        x = y;
        length = length + 1;
    }

    int seen = 0;
    int largest = 0;
    struct node *y = x;
    while (y != NULL) {
        int value = y->value;
        if (value > largest)
            largest = value;
        seen = seen + 1;
        struct node *t = y->n;
        y = t;
    }
    if (seen != length)
        largest = 0;
    return 0;
}
