// expect: unsafe
// options: --objects 3
// The parent still leads to the node that is lower now.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

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

static struct tree *rotate(struct tree *root)
{
    struct tree *parent = NULL, *node = root;
    while (node && __VERIFIER_nondet_int()) {
        parent = node;
        node = __VERIFIER_nondet_int() ? node->left : node->right;
    }
    if (!node || !node->left)
        return root;
    struct tree *top = node->left;
    node->left = top->right;
    top->right = node;
    assert(top->key <= node->key);
    return parent ? root : top; // BAD: leak
}

static void destroy(struct tree *root)
{
    while (root) {
        struct tree *parent = NULL, *node = root;
        while (node->left || node->right) {
            parent = node;
            node = node->left ? node->left : node->right;
        }
        if (!parent)
            root = NULL;
        else if (parent->left == node)
            parent->left = NULL;
        else
            parent->right = NULL;
        free(node);
    }
}

int main(void)
{
    struct tree *root = create();
    root = rotate(root);
    assert(hw_tree(root, left, right));
    destroy(root);
    return 0;
}
