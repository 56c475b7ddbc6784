// expect: unsafe
// A rotation forgets the middle subtree.
#include <stdlib.h>

struct tree {
    struct tree *left;
    struct tree *right;
};

int main(void)
{
    struct tree *root = calloc(1, sizeof *root);
    root->left = calloc(1, sizeof *root);
    root->left->right = calloc(1, sizeof *root);
    struct tree *pivot = root->left;
    root->left = NULL;
    pivot->right = root; // BAD: leak
    free(pivot->right);
    free(pivot);
    return 0;
}
