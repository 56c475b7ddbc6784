// expect: safe
// explore: unknown
// options: --objects 5
// Deals the nodes of a list out to two lists.
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
        struct node *rest = list->next;
        if (__VERIFIER_nondet_int()) {
            list->next = left;
            left = list;
        } else {
            list->next = right;
            right = list;
        }
        list = rest;
    }
    assert(hw_disjoint(left, right, next));
    destroy(left);
    destroy(right);
    return 0;
}
