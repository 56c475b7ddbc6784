// expect: unsafe
// options: --objects 5
// The last node of a list of one node has no predecessor.
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

static struct node *rotate(struct node *list)
{
    if (!list)
        return list;
    struct node *last = list;
    while (last->next)
        last = last->next;
    last->prev->next = NULL; // BAD: null-deref
    last->prev = NULL;
    last->next = list;
    list->prev = last;
    return last;
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
    while (__VERIFIER_nondet_int())
        list = rotate(list);
    assert(hw_dll(list, next, prev));
    destroy(list);
    return 0;
}
