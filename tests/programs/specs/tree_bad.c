// expect: unsafe
// Both children are the same node.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

struct tree {
    struct tree *left, *right;
};

int main(void)
{
    struct tree a = {NULL, NULL}, root = {&a, &a};
    assert(hw_tree(&root, left, right)); // BAD: shape
    return 0;
}
