// expect: unsafe
// options: --objects 4
// The backward links stay those of the two lists.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *prev;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->prev = NULL;
        fresh->next = list;
        if (list)
            list->prev = fresh;
        list = fresh;
    }
    return list;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node *list = NULL, *last = NULL;
    while (a || b) {
        struct node *taken;
        if (!b || (a && __VERIFIER_nondet_int())) {
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
    assert(hw_dll(list, next, prev)); // BAD: shape
    destroy(list);
    return 0;
}
