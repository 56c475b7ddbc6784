// expect: safe
// Predicates over a list that was built here.
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
    struct node *list = NULL, *other = NULL;
    for (int i = 2; i > 0; i--) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = i;
        if (__VERIFIER_nondet_bool()) {
            fresh->next = list;
            list = fresh;
        } else {
            fresh->next = other;
            other = fresh;
        }
    }
    assert(hw_acyclic(list, next));
    assert(hw_disjoint(list, other, next));
    assert(hw_sorted(list, next, key) && hw_sorted(other, next, key));
    assert(hw_reach(list, NULL, next));
    assert(!list || hw_reach(list, list->next, next));
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    assert(hw_all_reachable(other, next));
    while (other) {
        struct node *next = other->next;
        free(other);
        other = next;
    }
    return 0;
}
