// expect: unsafe
// options: --objects 5
// Forgets that the second one may be the last one.
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

static struct node *swap(struct node *list)
{
    struct node *first = list;
    while (first && __VERIFIER_nondet_int())
        first = first->next;
    if (!first || !first->next)
        return list;
    struct node *second = first->next;
    first->next = second->next;
    first->next->prev = first; // BAD: null-deref
    second->prev = first->prev;
    second->next = first;
    first->prev = second;
    if (!second->prev)
        return second;
    second->prev->next = second;
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
    struct node *list = swap(create());
    assert(hw_dll(list, next, prev));
    destroy(list);
    return 0;
}
