// expect: unsafe
// options: --objects 5
// The two lead to each other.
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

static struct node *swap(struct node *list)
{
    struct node *before = NULL, *first = list;
    while (first && __VERIFIER_nondet_int()) {
        before = first;
        first = first->next;
    }
    if (!first || !first->next)
        return list;
    struct node *second = first->next;
    second->next = first; // BAD: leak
    if (!before)
        return second;
    before->next = second;
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
    assert(hw_acyclic(list, next)); // BAD: shape
    destroy(list);
    return 0;
}
