// expect: safe
// A search tree: insertion by a loop, destruction by recursion.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *leaf(int key)
{
    struct tree *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->left = fresh->right = NULL;
    return fresh;
}

static int any_key(void)
{
    int key = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= key && key < 3);
    return key;
}

static void insert(struct tree **place, int key)
{
    while (*place) {
        if ((*place)->key == key)
            return;
        place = key < (*place)->key ? &(*place)->left : &(*place)->right;
    }
    *place = leaf(key);
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
    struct tree *tree = NULL;
    for (int i = 0; i < 3; i++)
        insert(&tree, any_key());
    destroy(tree);
    return 0;
}
