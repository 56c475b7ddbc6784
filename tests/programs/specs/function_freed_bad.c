// expect: unsafe
// options: --function unlink_second
// The third object may lead back to the second one, which is gone by then.
#include <stdlib.h>
#include "heapwright.h"

struct node {
    int data;
    struct node *next;
};

void unlink_second(struct node *first)
{
    hw_assume(first != NULL);
    struct node *second = first->next;
    if (!second || second == first)
        return;
    struct node *third = second->next;
    if (!third || third == second || third == first)
        return;
    first->next = third;
    free(second);
    second = NULL;
    struct node *fourth = third->next;
    if (fourth)
        fourth->data = 1; // BAD: use-after-free
}
