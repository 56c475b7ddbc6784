// expect: safe
// explore: unknown
// options: --objects 3
// Frees a tree with a stack of its nodes, chained in a list.
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

struct item {
    struct item *below;
    struct tree *tree;
};

static struct item *push(struct item *stack, struct tree *tree)
{
    struct item *item = malloc(sizeof *item);
    item->tree = tree;
    item->below = stack;
    return item;
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    struct item *stack = root ? push(NULL, root) : NULL;
    while (stack) {
        struct item *top = stack;
        struct tree *tree = top->tree;
        stack = top->below;
        free(top);
        if (tree->left)
            stack = push(stack, tree->left);
        if (tree->right)
            stack = push(stack, tree->right);
        free(tree);
    }
    return 0;
}
