// expect: unsafe
// options: --objects 3
// The subtree between is lost.
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
    while (root && __VERIFIER_nondet_int()) {
        struct tree *right = root->right;
        if (right) {
            root->right = NULL;
            right->left = root; // BAD: leak
            root = right;
        }
    }
    while (root) {
        struct tree *left = root->left;
        if (left) {
            root->left = left->right;
            left->right = root;
            root = left;
        } else {
            struct tree *right = root->right;
            free(root);
            root = right;
        }
    }
    return 0;
}
