// expect: safe
// explore: unknown
// options: --objects 5
// Turns the links around in place.
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

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list) {
        assert(hw_disjoint(done, list, next));
        struct node *rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    return done;
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
    struct node *list = reverse(create());
    assert(hw_acyclic(list, next));
    destroy(list);
    return 0;
}
