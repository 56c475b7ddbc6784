// expect: safe
// Predicates along a field whose address is taken.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int key;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL, **end = &list;
    for (int i = 0; i < 3 && __VERIFIER_nondet_bool(); i++) {
        *end = malloc(sizeof **end);
        (*end)->key = i;
        (*end)->next = NULL;
        end = &(*end)->next;
        assert(hw_acyclic(list, next) && hw_sorted(list, next, key));
    }
    assert(hw_all_reachable(list, next));
    while (list) {
        struct node *old = list;
        list = list->next;
        assert(!hw_reach(list, old, next));
        free(old);
    }
    return 0;
}
