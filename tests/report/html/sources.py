"""Small programs whose pages are tried."""

APPEND = """\
struct node {
    int data;
    struct node *n;
};

struct node *append(struct node *x, struct node *y)
{
    struct node *t = x, *last = 0;
    while (t) {
        last = t;
        t = t->n;
    }
    if (!last)
        return y;
    last->n = y;
    return x;
}
"""

ROTATION = """\
#include <stdlib.h>
struct tree { struct tree *left, *right; };
static struct tree *made(struct tree *left) {
    struct tree *tree = malloc(sizeof *tree);
    tree->left = left;
    tree->right = 0;
    return tree;
}
int main(void) {
    struct tree *root = made(made(0));
    struct tree *pivot = root->left;
    root->left = pivot->right;
    pivot->right = root;
    root = pivot;
    free(root->right);
    free(root);
    return 0;
}
"""

SOURCES = {"append.c": APPEND, "rotate.c": ROTATION}
