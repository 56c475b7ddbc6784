// expect: unsafe
// The block has the size of a pointer, not of what it points to.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *n = malloc(sizeof n);
    n->next = NULL;
    n->value = 1; // BAD: bounds
    free(n);
    return 0;
}
