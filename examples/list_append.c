/* Two lists in a row. Try
 *
 *     heapwright infer examples/list_append.c -f append
 *
 * which finds what append asks of its callers: the lists must not share an object. With --as-contract it prints the
 * lines that say so in C; `heapwright check --function append` then proves the function.
 */
#include <assert.h>
#include "heapwright.h"

struct node {
    int data;
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
    return x;
}
