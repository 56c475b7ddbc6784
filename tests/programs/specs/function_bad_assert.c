// expect: unsafe
// options: --function drop_first
// The function may get any integer; the claim about it is wrong for one.
#include <assert.h>
#include <stddef.h>
#include "heapwright.h"

struct node {
    struct node *next;
};

int drop_first(struct node *list, int count)
{
    hw_assume(hw_acyclic(list, next));
    if (count == 1)
        assert(list != NULL); // BAD: assert
    return 0;
}
