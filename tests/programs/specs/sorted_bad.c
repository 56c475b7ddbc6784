// expect: unsafe
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct node {
    signed char key;
    struct node *next;
};

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= -1 && x <= 1);
    struct node second = {0, NULL}, first = {x, &second};
    assert(hw_sorted(&first, next, key)); // BAD: shape
    return 0;
}
