// expect: safe
// A tree of up to three nodes is freed from its leaves.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct tree {
    struct tree *left;
    struct tree *right;
};

static struct tree *leaf(void)
{
    struct tree *fresh = malloc(sizeof *fresh);
    fresh->left = NULL;
    fresh->right = NULL;
    return fresh;
}

int main(void)
{
    struct tree *root = leaf();
    if (__VERIFIER_nondet_bool())
        root->left = leaf();
    if (__VERIFIER_nondet_bool())
        root->right = leaf();
    free(root->left);
    free(root->right);
    free(root);
    return 0;
}
