// expect: unsafe
// options: --objects 5
// Follows the link after it was turned.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = create(), *left = NULL, *right = NULL;
    while (list) {
        if (__VERIFIER_nondet_int()) {
            list->next = left; // BAD: leak
            left = list;
        } else {
            list->next = right; // BAD: leak
            right = list;
        }
        list = list->next;
    }
    assert(hw_disjoint(left, right, next));
    destroy(left);
    destroy(right);
    return 0;
}
