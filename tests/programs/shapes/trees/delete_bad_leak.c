// expect: unsafe
// options: --objects 3
// What hangs right of the least node is lost.
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
        if (!root->left) {
            struct tree *right = root->right;
            free(root);
            root = right;
        } else {
            struct tree *above = root;
            while (above->left->left)
                above = above->left;
            struct tree *least = above->left;
            above->left = NULL;
            free(least); // BAD: leak
        }
    }
    return 0;
}
