// expect: unsafe
// A local variable is freed.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node local;
    struct node *one = malloc(sizeof *one);
    struct node *which = __VERIFIER_nondet_bool() ? one : &local;
    which->next = NULL;
    free(which); // BAD: invalid-free
    if (which != one)
        free(one);
    return 0;
}
