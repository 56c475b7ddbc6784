// expect: safe
// options: --data-model LP64
// The size is a plain number; the first typed access decides what the block is.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *n = malloc(16);
    n->next = NULL;
    n->value = 1;
    free(n);
    return 0;
}
