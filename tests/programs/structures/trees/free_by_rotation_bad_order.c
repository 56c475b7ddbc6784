// expect: unsafe
// options: --objects 4
// The root is freed before its right subtree is known.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

static struct tree *insert(struct tree *root, int key)
{
    struct tree *fresh = malloc(sizeof *fresh), *node = root;
    fresh->key = key;
    fresh->left = NULL;
    fresh->right = NULL;
    if (!root)
        return fresh;
    for (;;) {
        if (key < node->key) {
            if (!node->left) {
                node->left = fresh;
                return root;
            }
            node = node->left;
        } else {
            if (!node->right) {
                node->right = fresh;
                return root;
            }
            node = node->right;
        }
    }
}
static struct tree *create(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    return root;
}

static void destroy(struct tree *root)
{
    while (root) {
        struct tree *left = root->left;
        if (left) {
            root->left = left->right;
            left->right = root;
            root = left;
        } else {
            free(root); // BAD: leak
            root = root->right; // BAD: use-after-free
        }
    }
}

int main(void)
{
    struct tree *root = create();
    destroy(root);
    return 0;
}
