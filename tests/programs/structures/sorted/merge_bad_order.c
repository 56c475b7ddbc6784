// expect: unsafe
// options: --objects 3
// A wrong comparison takes the greater one of the two first nodes.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int key;
};

static struct node *create(void)
{
    struct node *list = NULL;
    int key = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = key;
        fresh->next = list;
        list = fresh;
        int smaller = __VERIFIER_nondet_int();
        if (smaller > key)
            break;
        key = smaller;
    }
    return list;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node *list = NULL, *last = NULL;
    while (a && b) {
        struct node *taken;
        if (a->key > b->key) {
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
    if (!last)
        return rest;
    last->next = rest;
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
    struct node *a = create();
    struct node *b = create();
    assert(hw_sorted(a, next, key));
    assert(hw_sorted(b, next, key));
    struct node *list = merge(a, b);
    assert(hw_sorted(list, next, key)); // BAD: shape
    destroy(list);
    return 0;
}
