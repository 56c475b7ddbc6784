// expect: unsafe
// options: --objects 5
// The list begins with its last node.
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
    struct node *list = NULL, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = NULL;
        fresh->prev = last;
        if (last)
            last->next = fresh;
        list = fresh;
        last = fresh;
    }
    return list;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list); // BAD: leak
        list = next;
    }
}

int main(void)
{
    struct node *list = create();
    assert(hw_dll(list, next, prev));
    destroy(list);
    return 0;
}
