// expect: unsafe
// options: --objects 4
// The subtree between the two nodes is lost.
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
    fresh->key = key;
    fresh->left = NULL;
    fresh->right = NULL;
    struct tree *parent = NULL, *node = root;
    while (node) {
        parent = node;
        if (key < node->key)
            node = node->left;
        else
            node = node->right;
    }
    if (!parent)
        return fresh;
    if (key < parent->key)
        parent->left = fresh;
    else
        parent->right = fresh;
    return root;
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
            root->left = NULL;
            left->right = root; // BAD: leak
            root = left;
        } else {
            struct tree *right = root->right;
            free(root);
            root = right;
        }
    }
}

int main(void)
{
    struct tree *root = create();
    destroy(root);
    return 0;
}
