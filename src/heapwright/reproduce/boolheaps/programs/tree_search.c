// Builds a search tree and looks for a key in it.
#include <heapwright.h>
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
    int key;
};

int main(void)
{
    struct tree *root = NULL;
    while (hw_any_int()) {
        struct tree *leaf = malloc(sizeof *leaf);
        leaf->left = NULL;
        leaf->right = NULL;
        leaf->key = hw_any_int();
        struct tree *parent = NULL, *at = root;
        while (at) {
            parent = at;
            if (leaf->key < at->key)
                at = at->left;
            else
                at = at->right;
        }
        if (!parent)
            root = leaf;
        else if (leaf->key < parent->key)
            parent->left = leaf;
        else
            parent->right = leaf;
    }
    int key = hw_any_int();
    struct tree *found = root;
    while (found && found->key != key) {
        if (key < found->key)
            found = found->left;
        else
            found = found->right;
    }
    return found != NULL;
}
