// expect: unsafe
// options: --objects 5
// Hangs a node of the right list in front of the left one.
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
            list->next = left;
            right = list; // BAD: leak
        }
        list = rest;
    }
    assert(hw_disjoint(left, right, next)); // BAD: shape
    destroy(left);
    destroy(right);
    return 0;
}
