/* The leftmost node of a tree that is one summary, and what is right of it. */
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
    struct node *a = mk(mk(mk(0, 0), mk(0, 0)), mk(mk(0, 0), mk(0, 0))), *p, *q;
    hw_fesa_summarize(a);
    p = a;
    while (p->left)
        p = p->left;
    q = p->right;
    return q == 0;
}
