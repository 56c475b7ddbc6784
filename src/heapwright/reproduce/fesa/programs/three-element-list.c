/* Three nodes in one summary, and an access to the first. */
#include "heapwright.h"
#include <stdlib.h>

struct node {
    struct node *left, *right;
};

static struct node *mk(struct node *left, struct node *right)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->left = left;
    fresh->right = right;
    return fresh;
}

int main(void)
{
    struct node *x = mk(mk(mk(0, 0), 0), 0), *y;
    hw_fesa_summarize(x);
    y = x->left;
    return y == 0;
}
