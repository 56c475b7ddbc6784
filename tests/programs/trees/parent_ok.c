// expect: safe
// A tree whose nodes know their parents is freed without recursion or a stack.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct tree {
    struct tree *left, *right, *up;
};

static struct tree *grow(struct tree *up)
{
    struct tree *fresh = calloc(1, sizeof *fresh);
    fresh->up = up;
    return fresh;
}

int main(void)
{
    struct tree *at = grow(NULL);
    if (__VERIFIER_nondet_bool())
        at->left = grow(at);
    if (__VERIFIER_nondet_bool())
        at->right = grow(at);
    while (at) {
        if (at->left) {
            at = at->left;
        } else if (at->right) {
            at = at->right;
        } else {
            struct tree *up = at->up;
            if (up && up->left == at)
                up->left = NULL;
            else if (up)
                up->right = NULL;
            free(at);
            at = up;
        }
    }
    return 0;
}
