// expect: unknown
// options: --property unreach-call
// gcc: no the check that fails is not selected
// The assertion holds where the store before it does not fail; the store is not selected.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

extern void reach_error(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *one = __VERIFIER_nondet_bool() ? malloc(sizeof *one) : NULL;
    one->value = 1;
    if (!one)
        reach_error();
    free(one);
    return 0;
}
