// expect: safe
// explore: unknown
// options: --objects 4
// Builds any tree, and frees it by rotations.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left;
    struct tree *right;
};

/* A node is put at any place where nothing hangs yet. */
static struct tree *create(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct tree *fresh = malloc(sizeof *fresh);
        fresh->left = NULL;
        fresh->right = NULL;
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

static void destroy(struct tree *root)
{
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
}

int main(void)
{
    struct tree *root = create();
    destroy(root);
    return 0;
}
