/* A list reversed in place, with its shape stated by heapwright.h:
 *
 *     heapwright check examples/list_reverse.c
 *
 * An ordinary compiler runs the same statements as checks; see docs/specifications.md. */
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int key;
    struct node *next;
};

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list) {
        /* What is done and what is left are two lists that share nothing. */
        assert(hw_acyclic(list, next) && hw_disjoint(done, list, next));
        struct node *rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    return done;
}

int main(void)
{
    struct node *list = NULL;
    for (int key = 0; key < 3 && __VERIFIER_nondet_bool(); key++) {
        struct node *node = malloc(sizeof *node);
        node->key = key;
        node->next = list;
        list = node;
    }

    struct node *old_first = list;
    list = reverse(list);
    assert(hw_sorted(list, next, key));          /* it was in descending order */
    assert(hw_reach(list, old_first, next));     /* nothing got lost on the way */
    assert(!old_first || old_first->next == NULL);

    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
