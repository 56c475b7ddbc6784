/* Turns a list around in place, which turns its order around. */
#include <assert.h>
#include "heapwright.h"

struct node {
    int val;
    struct node *n;
};

struct node *reverse_order(struct node *x)
{
    struct node *y = 0;
    while (x != 0) {
        struct node *t = y;
        y = x;
        x = x->n;
        y->n = t;
    }
    assert(hw_sorted_down(y, n, val));
    return y;
}
