// expect: unsafe
// The program frees the root of a tree that was given to it, whatever hangs on it.
// gcc: no its input is any tree
#include <stdlib.h>
#include "heapwright.h"

struct tree {
    struct tree *left, *right;
};

int main(void)
{
    struct tree *tree = hw_any_tree(left, right);
    if (tree)
        free(tree); // BAD: leak
    return 0;
}
