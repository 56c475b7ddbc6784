// expect: unsafe
// options: --objects 5
// The node behind the deleted one still leads back to it.
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

static struct node *delete(struct node *list)
{
    struct node *node = list;
    while (node->next && __VERIFIER_nondet_int())
        node = node->next;
    if (node->prev)
        node->prev->next = node->next; // BAD: use-after-free
    else
        list = node->next;
    free(node);
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
    while (list && __VERIFIER_nondet_int())
        list = delete(list);
    assert(hw_dll(list, next, prev)); // BAD: shape
    destroy(list);
    return 0;
}
