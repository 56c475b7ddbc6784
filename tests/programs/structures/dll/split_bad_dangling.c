// expect: unsafe
// options: --objects 5
// The second part leads back into the first one, which is freed.
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

static struct node *cut(struct node *list)
{
    if (!list)
        return NULL;
    while (list->next && __VERIFIER_nondet_int())
        list = list->next;
    struct node *rest = list->next;
    list->next = NULL;
    return rest;
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
    struct node *rest = cut(list);
    assert(hw_disjoint(list, rest, next));
    destroy(list);
    if (rest)
        assert(!rest->prev); // BAD: assert
    destroy(rest);
    return 0;
}
