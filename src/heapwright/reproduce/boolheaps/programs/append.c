// Appends a list to another one.
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
    struct node *more = create();
    if (list) {
        struct node *last = list;
        struct node *next = last->next;
        while (next) {
            last = next;
            next = last->next;
        }
        last->next = more;
    } else {
        list = more;
    }
    assert(hw_acyclic(list, next));
    return 0;
}
