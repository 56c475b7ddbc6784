/* A tree of any shape that grows on its left, and a rotation to the right at its root. Try
 *
 *     heapwright show examples/tree_rotation.c --html rotation.html
 *
 * and look at the heaps before and after the three assignments of rotated(). */
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct tree {
    struct tree *left, *right;
};

static struct tree *grown(struct tree *left)
{
    struct tree *tree = malloc(sizeof *tree);
    tree->left = left;
    tree->right = NULL;
    return tree;
}

static struct tree *rotated(struct tree *root)
{
    struct tree *pivot = root->left;
    if (pivot == NULL)
        return root;
    root->left = pivot->right;
    pivot->right = root;
    return pivot;
}

int main(void)
{
    struct tree *root = grown(NULL);
    while (__VERIFIER_nondet_bool())
        root = grown(root);
    root = rotated(root);
    if (root->right)
        free(root->right);
    while (root) {
        struct tree *next = root->left;
        free(root);
        root = next;
    }
    return 0;
}
