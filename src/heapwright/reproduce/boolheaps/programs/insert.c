// Inserts a node behind some node of a list.
#include <assert.h>
#include <heapwright.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int key;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (hw_any_int()) {
        struct node *first = malloc(sizeof *first);
        first->next = list;
        first->key = hw_any_int();
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
        fresh->next = before->next;
        before->next = fresh;
        assert(hw_reach(list, fresh, next));
    }
    assert(hw_acyclic(list, next));
    return 0;
}
