// expect: unsafe
// options: --data-model LP64
// The plain number is too small.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *n = malloc(8);
    n->next = NULL;
    n->value = 1; // BAD: bounds
    free(n);
    return 0;
}
