// expect: unsafe
// options: --malloc-may-fail
// Allocation may fail, and the result is used.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *one = malloc(sizeof *one);
    one->value = 1; // BAD: null-deref
    free(one);
    return 0;
}
