/* Appends the list y to the list x. */
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

struct node {
    int val;
    struct node *n;
};

struct node *append(struct node *x, struct node *y)
{
    struct node *t = x;
    struct node *prev = 0;
    while (t != 0) {
        prev = t;
        t = t->n;
    }
    if (prev == 0)
        x = y;
    else
        prev->n = y;
    assert(hw_acyclic(x, n));
    assert(hw_all_reachable(x, n));
    return x;
}
