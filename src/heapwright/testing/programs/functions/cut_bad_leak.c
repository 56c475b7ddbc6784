// expect: unsafe
// options: --function cut
// The rest of a caller's list has no owner any more.
#include <heapwright.h>

struct node {
    struct node *next;
    int value;
};

void cut(void)
{
    struct node *list = hw_any_list(next);
    if (list)
        list->next = 0; // BAD: leak
} // BAD: leak
