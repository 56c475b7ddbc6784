// expect: unsafe
// options: --objects 4
// Does not link a node in behind others.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int key;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = __VERIFIER_nondet_int();
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static struct node *sort(struct node *list)
{
    struct node *sorted = NULL;
    while (list) {
        struct node *node = list, *before = NULL, *after = sorted;
        list = list->next;
        while (after && after->key < node->key) {
            before = after;
            after = after->next;
        }
        node->next = after;
        if (!before)
            sorted = node;
    } // BAD: leak
    return sorted;
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
    struct node *list = sort(create());
    assert(hw_sorted(list, next, key));
    destroy(list);
    return 0;
}
