// expect: unsafe
// options: --function last
// Nothing says that the list is not empty.
#include <stddef.h>
#include "heapwright.h"

struct node {
    struct node *next;
};

struct node *last(struct node *list)
{
    hw_assume(hw_acyclic(list, next));
    while (list->next) // BAD: null-deref
        list = list->next;
    return list;
}
