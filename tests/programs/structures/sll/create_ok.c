// expect: safe
// explore: unknown
// options: --objects 5
// Builds a list in order, with a pointer to its last node.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *create(void)
{
    struct node *list = NULL, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = NULL;
        if (last)
            last->next = fresh;
        else
            list = fresh;
        last = fresh;
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
    assert(hw_acyclic(list, next));
    destroy(list);
    return 0;
}
