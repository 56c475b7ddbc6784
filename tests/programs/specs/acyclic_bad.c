// expect: unsafe
// The last node points back to the first.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

struct node {
    struct node *next;
};

int main(void)
{
    struct node second, first;
    first.next = &second;
    second.next = &first;
    assert(hw_cyclic(&first, next));
    assert(hw_acyclic(&first, next)); // BAD: shape
    return 0;
}
