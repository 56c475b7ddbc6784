// expect: unsafe
// options: --objects 3
// Where nothing hangs, the way back is put in its place.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left;
    struct tree *right;
    int visits;
};

/* A node is put at any place where nothing hangs yet. */
static struct tree *create(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct tree *fresh = malloc(sizeof *fresh);
        fresh->left = NULL;
        fresh->right = NULL;
        fresh->visits = 0;
        if (!root) {
            root = fresh;
            continue;
        }
        struct tree *node = root;
        for (;;) {
            if (__VERIFIER_nondet_int()) {
                if (!node->left) {
                    node->left = fresh;
                    break;
                }
                node = node->left;
            } else {
                if (!node->right) {
                    node->right = fresh;
                    break;
                }
                node = node->right;
            }
        }
    }
    return root;
}

/* Each visit of a node turns its links by one place: left, right and the way back. */
static void walk(struct tree *root)
{
    struct tree *from = NULL, *node = root;
    while (node) {
        struct tree *next = node->left;
        node->left = node->right;
        node->right = from;
        if (node->visits == 0)
            node->visits = 1;
        else if (node->visits == 1)
            node->visits = 2;
        else
            node->visits = 3;
        if (next || node->visits == 3) {
            from = node;
            node = next;
        }
    }
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
        assert(node->visits == 3);
        free(node);
    }
}

int main(void)
{
    struct tree *root = create();
    walk(root);
    assert(hw_tree(root, left, right)); // BAD: shape
    destroy(root);
    return 0;
}
