/* Builds a doubly linked list two elements at a time, then goes through it in pairs. */
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
    int pairs = 0;
    x = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *y = malloc(sizeof *y);
        struct node *z = malloc(sizeof *z);
        y->value = __VERIFIER_nondet_int();
        z->value = y->value;
        y->p = NULL;
        y->n = z;
        z->p = y;
        z->n = x;
        if (x != NULL)
            x->p = z;
        x = y;
        pairs = pairs + 1;
    }

    int seen = 0;
    struct node *y = x;
    while (y != NULL) {
        struct node *z = y->n;
        if (z != NULL) {
            int first = y->value;
            int second = z->value;
            if (first > second)
                y->value = second;
            z = z->n;
        }
        seen = seen + 1;
        y = z;
    }
    if (seen != pairs)
        seen = pairs;
    return 0;
}
