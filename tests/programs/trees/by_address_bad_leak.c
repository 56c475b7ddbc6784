// expect: unsafe
// options: --objects 3
// Inserts into a search tree through the address of a child pointer, but loses the right child.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct tree **at = &root;
        while (*at)
            at = key < (*at)->key ? &(*at)->left : &(*at)->right;
        struct tree *fresh = malloc(sizeof *fresh);
        fresh->key = key;
        fresh->left = NULL;
        fresh->right = NULL;
        *at = fresh;
    }
    if (root) {
        struct tree **right = &root->right;
        *right = NULL; // BAD: leak
    }
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
    return 0;
}
