// function: start
// boolheap took a predicate that relates two fields for true of every input.
// boolheap predicate: v.left = null | alive(v.right)
// boolheap predicate: v.left = null
// tvl predicate: %i u0(v) = (E(w) t.left(v, w)) | !(E(w) t.right(v, w))
#include <stdlib.h>
struct t {
    struct t *left;
    struct t *right;
};
void start(struct t *x)
{
    if (x && x->left)
        x->right->left = NULL;
}
