/* Turns a list around in place. */
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

struct node {
    int val;
    struct node *n;
};

struct node *reverse(struct node *x)
{
    struct node *y = 0;
    while (x != 0) {
        struct node *t = y;
        y = x;
        x = x->n;
        y->n = t;
    }
    assert(hw_acyclic(y, n));
    assert(hw_all_reachable(y, n));
    return y;
}
