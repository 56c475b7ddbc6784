// expect: unsafe
// options: --objects 5
// Turns a link around before the rest is remembered.
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
        list->next = done; // BAD: leak
        struct node *rest = list->next;
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
