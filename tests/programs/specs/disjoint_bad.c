// expect: unsafe
// Two lists with a common end.
#include <assert.h>
#include <stddef.h>
#include "heapwright.h"

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node tail = {NULL}, a = {&tail}, b = {__VERIFIER_nondet_bool() ? &tail : NULL};
    assert(hw_acyclic(&a, next) && hw_acyclic(&b, next));
    assert(hw_disjoint(&a, &b, next)); // BAD: shape
    return 0;
}
