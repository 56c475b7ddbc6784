// expect: safe
// explore: unknown
// options: --function last
// A function by itself: its parameter is any list that the assumption allows.
#include <stddef.h>
#include "heapwright.h"

struct node {
    struct node *next;
};

struct node *last(struct node *list)
{
    hw_assume(list != NULL && hw_acyclic(list, next));
    while (list->next)
        list = list->next;
    return list;
}
