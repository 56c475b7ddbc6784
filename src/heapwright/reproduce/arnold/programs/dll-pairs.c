/* Builds a doubly linked list of any length, then goes through it in pairs of neighbours, whose values it puts in order,
   and from the last pair back to where it came from. */
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

    int pairs = 0;
    struct node *y = NULL;
    struct node *z = x;
    while (z != NULL) {
        if (y != NULL) {
            int first = y->value;
            int second = z->value;
            if (first > second) {
                y->value = second;
                z->value = first;
            }
            pairs = pairs + 1;
        }
        y = z;
        z = z->n;
    }
    if (y != NULL)
        z = y->p;
    if (pairs + 1 < length)
        pairs = 0;
    return 0;
}
