/* A tree that is one summary, freed by rotations. */
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
    struct node *a = mk(mk(mk(0, 0), mk(0, 0)), mk(mk(0, 0), mk(0, 0))), *t, *l;
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
