// expect: unsafe
// Any list may be shorter than two nodes.
// gcc: no its input is any list
#include <stdlib.h>
#include "heapwright.h"

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = hw_any_list(next);
    hw_assume(list != NULL);
    struct node *second = list->next;
    hw_assume(hw_reach(second, NULL, next));
    second->next = NULL; // BAD: null-deref, leak
    free(second);
    free(list);
    return 0;
}
