// expect: unsafe
// options: --objects 5
// No node leads back.
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
        fresh->prev = NULL;
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
    assert(hw_dll(list, next, prev)); // BAD: shape
    destroy(list);
    return 0;
}
