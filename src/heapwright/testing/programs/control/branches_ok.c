// expect: safe
// Two tests agree about whether there is a node.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    _Bool some = __VERIFIER_nondet_bool();
    struct node *one = NULL;
    if (some)
        one = malloc(sizeof *one);
    if (some)
        one->next = NULL;
    free(one);
    return 0;
}
