// expect: unsafe
// options: --objects 5
// A node that is not the first one is never linked in.
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
        if (!last)
            list = fresh;
        last = fresh; // BAD: leak
    }
    return list; // BAD: leak
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
