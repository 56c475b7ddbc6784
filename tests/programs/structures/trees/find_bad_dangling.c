// expect: unsafe
// options: --objects 3
// What was found is freed while it hangs in the tree.
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

static struct tree *search(struct tree *root, int key)
{
    while (root && root->key != key) {
        root = key < root->key ? root->left : root->right;
    }
    return root;
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
    int key = __VERIFIER_nondet_int();
    struct tree *found = search(root, key);
    if (found)
        free(found); // BAD: leak
    assert(hw_tree(root, left, right)); // BAD: shape
    destroy(root);
    return 0;
}
