// expect: safe
// explore: unknown
// options: --function length
// Any acyclic list is walked; parameters and heap are inputs.
#include <heapwright.h>

struct node {
    struct node *next;
    int value;
};

int length(struct node *list)
{
    int count = 0;
    hw_assume(hw_acyclic(list, next));
    for (; list; list = list->next)
        count++;
    return count;
}
