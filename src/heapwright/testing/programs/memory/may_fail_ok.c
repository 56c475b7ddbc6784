// expect: safe
// options: --malloc-may-fail
// Allocation may fail, and the program looks.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *one = malloc(sizeof *one);
    if (!one)
        return 1;
    one->value = 1;
    free(one);
    return 0;
}
