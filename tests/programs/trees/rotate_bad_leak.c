// expect: unsafe
// The rotation drops the inner subtree.
#include <assert.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *node(int key, struct tree *left, struct tree *right)
{
    struct tree *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->left = left;
    fresh->right = right;
    return fresh;
}

static struct tree *rotate_right(struct tree *top)
{
    struct tree *left = top->left;
    left->right = top; // BAD: leak
    return left;
}

int main(void)
{
    struct tree *tree = node(3, node(1, NULL, node(2, NULL, NULL)), NULL);
    tree = rotate_right(tree);
    assert(tree->key == 1 && !tree->left && tree->right->key == 3 && tree->right->left->key == 2); // BAD: assert
    free(tree->right->left);
    free(tree->right);
    free(tree);
    return 0;
}
