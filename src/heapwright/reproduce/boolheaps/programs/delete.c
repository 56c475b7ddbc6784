// Takes a node out of a list and frees it.
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
    struct node *before = NULL, *node = list;
    while (node && node->key != 7) {
        before = node;
        node = node->next;
    }
    if (node) {
        if (before)
            before->next = node->next;
        else
            list = node->next;
        free(node);
    }
    assert(hw_acyclic(list, next));
    return 0;
}
