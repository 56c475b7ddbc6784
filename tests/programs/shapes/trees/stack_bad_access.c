// expect: unsafe
// options: --objects 3
// The node is freed before its subtrees are pushed.
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
        free(tree); // BAD: leak
        if (tree->left) // BAD: use-after-free
            stack = push(stack, tree->left);
        if (tree->right)
            stack = push(stack, tree->right);
    }
    return 0;
}
