// expect: unsafe
// options: --function unlink_second
// The second node may be the last one; and whoever unlinks it has to keep it.
#include <stdlib.h>
#include "heapwright.h"

struct node {
    struct node *next, *prev;
};

void unlink_second(struct node *list)
{
    hw_assume(list != NULL && list->next != NULL && hw_dll(list, next, prev));
    struct node *second = list->next;
    list->next = second->next;
    second->next->prev = list; // BAD: null-deref
} // BAD: leak
