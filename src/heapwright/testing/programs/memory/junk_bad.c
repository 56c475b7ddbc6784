// expect: unsafe
// A pointer is used that was never set.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *one;
    if (__VERIFIER_nondet_bool())
        one = malloc(sizeof *one);
    one->value = 1; // BAD: invalid-deref
    free(one);
    return 0;
}
