// expect: safe
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

struct tree {
    struct tree *left, *right;
};

int main(void)
{
    struct tree a = {NULL, NULL}, b = {NULL, NULL}, root = {&a, &b};
    assert(hw_tree(&root, left, right));
    a.right = &b;
    assert(!hw_tree(&root, left, right));
    root.right = NULL;
    assert(hw_tree(&root, left, right));
    return 0;
}
