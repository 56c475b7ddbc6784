// expect: unsafe
// malloc gives no zeros: the link is junk.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->value = 0;
    n->next->value = 1; // BAD: invalid-deref
    free(n);
    return 0;
}
