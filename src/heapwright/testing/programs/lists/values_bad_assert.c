// expect: unsafe
// One of two nodes does not hold the value that is claimed.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *one = malloc(sizeof *one);
    struct node *two = malloc(sizeof *two);
    one->next = two;
    one->value = 1;
    two->next = NULL;
    two->value = 2;
    struct node *found = __VERIFIER_nondet_bool() ? one : one->next;
    assert(found->value == 1); // BAD: assert
    free(two);
    free(one);
    return 0;
}
