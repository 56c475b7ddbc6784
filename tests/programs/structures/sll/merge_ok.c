// expect: safe
// explore: unknown
// options: --objects 5
// Merges two lists into one, taking from either as the environment says.
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

static struct node *merge(struct node *a, struct node *b)
{
    struct node *list = NULL, *last = NULL;
    while (a && b) {
        struct node *taken;
        if (__VERIFIER_nondet_int()) {
            taken = a;
            a = a->next;
        } else {
            taken = b;
            b = b->next;
        }
        if (last)
            last->next = taken;
        else
            list = taken;
        last = taken;
    }
    struct node *rest = a ? a : b;
    if (last)
        last->next = rest;
    else
        list = rest;
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
    struct node *list = create();
    struct node *other = create();
    list = merge(list, other);
    assert(hw_acyclic(list, next));
    destroy(list);
    return 0;
}
