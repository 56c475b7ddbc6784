/* Deletes the first element with a value. The comparison is of integers, so that it may go either way. */
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

struct node {
    int val;
    struct node *n;
};

void delete(struct node *x, int delval)
{
    struct node *prev = 0;
    struct node *elem = x;
    while (elem != 0) {
        if (elem->val == delval) {
            if (prev == 0)
                x = elem->n;
            else
                prev->n = elem->n;
            elem->n = 0;
            free(elem);
            break;
        }
        prev = elem;
        elem = elem->n;
    }
    assert(hw_all_reachable(x, n));
}
