// expect: unsafe
// Any list may be shorter than two nodes.
// gcc: no its input is any list
#include <stddef.h>
#include "heapwright.h"

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = hw_any_list(next);
    hw_assume(list != NULL);
    list = list->next;
    list->next = NULL; // BAD: null-deref
    return 0;
}
