// expect: unsafe
// options: --objects 5
// Sets the two links in the wrong order.
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

static struct node *insert(struct node *list)
{
    struct node *fresh = malloc(sizeof *fresh);
    if (!list || __VERIFIER_nondet_int()) {
        fresh->next = list;
        return fresh;
    }
    struct node *before = list;
    while (before->next && __VERIFIER_nondet_int())
        before = before->next;
    before->next = fresh; // BAD: leak
    fresh->next = before->next;
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
    assert(hw_acyclic(list, next)); // BAD: shape
    destroy(list);
    return 0;
}
