// expect: safe
// explore: unknown
// options: --objects 5
// Moves the first node to the end.
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

static struct node *rotate(struct node *list)
{
    if (!list || !list->next)
        return list;
    struct node *first = list, *last = list;
    while (last->next)
        last = last->next;
    list = first->next;
    last->next = first;
    first->next = NULL;
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
    while (__VERIFIER_nondet_int())
        list = rotate(list);
    assert(hw_acyclic(list, next));
    destroy(list);
    return 0;
}
