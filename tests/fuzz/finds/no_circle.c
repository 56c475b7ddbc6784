// function: start
// tvl: lost heap: the audit asked about a place where every run ends, which engines leave out
#include "heapwright.h"

struct node {
    struct node *other;
};

void start(struct node *first, struct node *second)
{
    hw_assume(hw_cyclic(first, other));
}
