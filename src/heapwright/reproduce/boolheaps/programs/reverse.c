// Reverses a list; whichever node was in it is in the result.
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
    struct node *some = list;
    while (some && hw_any_int())
        some = some->next;
    struct node *result = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    assert(hw_acyclic(result, next));
    if (some)
        assert(hw_reach(result, some, next));
    return 0;
}
