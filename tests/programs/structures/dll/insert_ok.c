// expect: safe
// explore: unknown
// options: --objects 5
// Inserts a node behind any other one.
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

static struct node *insert(struct node *list)
{
    struct node *fresh = malloc(sizeof *fresh);
    struct node *before = list;
    while (before && before->next && __VERIFIER_nondet_int())
        before = before->next;
    fresh->prev = before;
    if (!before) {
        fresh->next = NULL;
        return fresh;
    }
    fresh->next = before->next;
    if (fresh->next)
        fresh->next->prev = fresh;
    before->next = fresh;
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
    struct node *list = insert(create());
    assert(hw_dll(list, next, prev));
    destroy(list);
    return 0;
}
