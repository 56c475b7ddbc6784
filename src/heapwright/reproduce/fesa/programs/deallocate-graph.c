/* Two nodes share a third: freeing by rotations, which is for trees, frees it too early. */
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
    struct node *d = mk(0, 0), *a = mk(mk(d, 0), mk(d, 0)), *t, *l;
    d = 0;
    hw_fesa_summarize(a);
    while (a) {
        if (!a->left) {
            t = a->right;
            free(a);
            a = t;
        } else {
            l = a->left;
            a->left = l->right;
            l->right = a;
            a = l;
        }
    }
    return 0;
}
