// expect: safe
// explore: unknown
// options: --objects 3
// Frees a tree by recursion.
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

static void destroy(struct tree *tree)
{
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

int main(void)
{
    struct tree *root = create();
    destroy(root);
    return 0;
}
