// expect: safe
// A tree is freed recursively.
#include <stdlib.h>

struct tree {
    struct tree *left;
    struct tree *right;
};

static void destroy(struct tree *tree)
{
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

int main(void)
{
    struct tree *root = calloc(1, sizeof *root);
    root->left = calloc(1, sizeof *root);
    destroy(root);
    return 0;
}
