// expect: unsafe
// options: --objects 3
// The least node of a tree without a left subtree.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

static struct tree *insert(struct tree *root, int key)
{
    struct tree *fresh = malloc(sizeof *fresh);
    fresh->left = NULL;
    fresh->right = NULL;
    fresh->key = key;
    if (!root)
        return fresh;
    struct tree *at = root;
    for (;;) {
        if (key < at->key) {
            if (!at->left) {
                at->left = fresh;
                return root;
            }
            at = at->left;
        } else {
            if (!at->right) {
                at->right = fresh;
                return root;
            }
            at = at->right;
        }
    }
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    while (root) {
        {
            struct tree *above = root;
            while (above->left->left) // BAD: null-deref
                above = above->left;
            struct tree *least = above->left;
            above->left = least->right;
            free(least);
        }
    }
    return 0;
}
