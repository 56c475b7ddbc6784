// expect: unsafe
// options: --objects 5
// Forgets what was cut off.
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

static struct node *cut(struct node *list)
{
    if (!list)
        return NULL;
    while (list->next && __VERIFIER_nondet_int())
        list = list->next;
    list->next = NULL; // BAD: leak
    return NULL;
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
    destroy(rest);
    return 0;
}
