/* A function by itself. Its parameter is any heap that the assumptions at its start allow:
 *
 *     heapwright check --function remove_last examples/remove_last.c
 *
 * Take `list != NULL &&` away, and heapwright shows the empty list as the input that breaks the function; take
 * hw_acyclic away, and it is a list that runs in a circle for ever. */
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

struct node {
    int key;
    struct node *next;
};

struct node *remove_last(struct node *list)
{
    hw_assume(list != NULL && hw_acyclic(list, next));

    struct node **link = &list;
    while ((*link)->next)
        link = &(*link)->next;
    free(*link);
    *link = NULL;

    assert(hw_acyclic(list, next));
    return list;
}
