// Visits every node of a list, and leaves the list as it is.
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
    for (struct node *node = list; node; node = node->next)
        node->key = 0;
    assert(hw_acyclic(list, next));
    return 0;
}
