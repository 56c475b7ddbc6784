// expect: unsafe
// options: --objects 5
// Forgets to move the pointer to the last node on.
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
            last->next = taken; // BAD: leak
        else
            list = last = taken;
    }
    struct node *rest = a ? a : b;
    if (last)
        last->next = rest; // BAD: leak
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
    list = merge(list, other); // BAD: leak
    assert(hw_acyclic(list, next));
    destroy(list);
    return 0; // BAD: leak
}
