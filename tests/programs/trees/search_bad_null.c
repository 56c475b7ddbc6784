// expect: unsafe
// The search does not stop at a missing child.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct tree {
    int key;
    struct tree *left, *right;
};

int main(void)
{
    struct tree root = {1, NULL, NULL};
    struct tree child = {2, NULL, NULL};
    if (__VERIFIER_nondet_bool())
        root.right = &child;
    struct tree *at = &root;
    while (at->key != 2) // BAD: null-deref
        at = at->key < 2 ? at->right : at->left;
    return 0;
}
