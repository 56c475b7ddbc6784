// expect: safe
// explore: unknown
// options: --objects 4
// Keeps a list in order while keys are inserted.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int key;
};

static struct node *insert(struct node *list, int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    struct node *before = NULL, *after = list;
    while (after && after->key < key) {
        before = after;
        after = after->next;
    }
    fresh->next = after;
    if (!before)
        return fresh;
    before->next = fresh;
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
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = insert(list, __VERIFIER_nondet_int());
    assert(hw_sorted(list, next, key));
    destroy(list);
    return 0;
}
