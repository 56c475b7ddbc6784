// Closes a list to a ring: not acyclic, and not proved to be.
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
    if (list) {
        struct node *last = list;
        struct node *next = last->next;
        while (next) {
            last = next;
            next = last->next;
        }
        last->next = list;
    }
    assert(hw_acyclic(list, next));
    return 0;
}
