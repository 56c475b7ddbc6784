// Takes a node out of a doubly linked list and frees it.
#include <assert.h>
#include <heapwright.h>
#include <stdlib.h>

struct node {
    struct node *next, *prev;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (hw_any_int()) {
        struct node *first = malloc(sizeof *first);
        first->next = list;
        first->prev = NULL;
        if (list)
            list->prev = first;
        list = first;
    }
    return list;
}

int main(void)
{
    struct node *list = create();
    struct node *node = list;
    while (node && hw_any_int())
        node = node->next;
    if (node) {
        struct node *before = node->prev;
        struct node *after = node->next;
        if (before)
            before->next = after;
        else
            list = after;
        if (after)
            after->prev = before;
        free(node);
    }
    assert(hw_dll(list, next, prev));
    return 0;
}
