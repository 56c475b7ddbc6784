// Looks for a key; what it finds is in the list.
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
    int key = hw_any_int();
    struct node *found = list;
    while (found && found->key != key)
        found = found->next;
    if (found)
        assert(hw_reach(list, found, next));
    assert(hw_acyclic(list, next));
    return 0;
}
