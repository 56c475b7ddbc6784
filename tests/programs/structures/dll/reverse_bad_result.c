// expect: unsafe
// options: --objects 5
// Returns the node that was the first one.
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

static struct node *reverse(struct node *list)
{
    struct node *done = NULL, *first = list;
    while (list) {
        struct node *rest = list->next;
        list->next = list->prev;
        list->prev = rest;
        done = list;
        list = rest;
    }
    return first;
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
    struct node *list = reverse(create());
    assert(hw_dll(list, next, prev));
    destroy(list);
    return 0;
}
