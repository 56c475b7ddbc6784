// expect: unsafe
// A block that the list does not reach.
// gcc: no an ordinary program cannot check it
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    assert(hw_all_reachable(list, next));
    struct node *other = malloc(sizeof *other);
    assert(hw_all_reachable(list, next)); // BAD: shape
    free(other);
    free(list);
    return 0;
}
