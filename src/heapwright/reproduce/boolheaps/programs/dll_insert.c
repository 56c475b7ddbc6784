// Inserts a node behind some node of a doubly linked list.
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
    struct node *before = list;
    while (before && hw_any_int())
        before = before->next;
    if (before) {
        struct node *fresh = malloc(sizeof *fresh);
        struct node *after = before->next;
        fresh->next = after;
        fresh->prev = before;
        before->next = fresh;
        if (after)
            after->prev = fresh;
    }
    assert(hw_dll(list, next, prev));
    return 0;
}
