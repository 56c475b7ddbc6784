// expect: safe
// options: --property unreach-call
// gcc: no the check that fails is not selected
// The load that may fail is on the other branch.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

extern void reach_error(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *one = NULL;
    if (__VERIFIER_nondet_bool())
        return one->value;
    if (one)
        reach_error();
    return 0;
}
