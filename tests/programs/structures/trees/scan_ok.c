// expect: safe
// explore: unknown
// options: --objects 3
// Comes to every node three times without a stack and without marks: the links on the way down lead back up
// (Lindstrom). Before the scan ends, the links are as they were.
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

static void scan(struct tree *root)
{
    struct tree top;
    struct tree *from = &top, *node = root;
    if (!root)
        return;
    while (node != &top) {
        struct tree *next = node->left;
        node->left = node->right;
        node->right = from;
        from = node;
        node = next;
        if (!node) {
            node = from;
            from = NULL;
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
        free(node);
    }
}

int main(void)
{
    struct tree *root = create();
    scan(root);
    destroy(root);
    return 0;
}
