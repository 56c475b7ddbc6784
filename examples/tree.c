/* A binary search tree: insertion through a pointer to a pointer, destruction by recursion.
 *
 *     heapwright check examples/tree.c
 *
 * Inserting a key twice allocates nothing; every node is freed once. */
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct tree {
    int key;
    struct tree *left, *right;
};

static void insert(struct tree **place, int key)
{
    while (*place) {
        struct tree *tree = *place;
        if (tree->key == key)
            return;
        place = key < tree->key ? &tree->left : &tree->right;
    }
    *place = malloc(sizeof **place);
    (*place)->key = key;
    (*place)->left = (*place)->right = NULL;
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
    for (int i = 0; i < 3; i++) {
        int key = __VERIFIER_nondet_int();
        __VERIFIER_assume(0 <= key && key <= 2); /* runs with other keys do not count */
        insert(&tree, key);
        assert(hw_tree(tree, left, right));
    }
    destroy(tree);
    return 0;
}
