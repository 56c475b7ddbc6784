// expect: safe
// Removes any node of a doubly linked list.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    struct node *prev;
};

static struct node *push(struct node *list)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->prev = NULL;
    fresh->next = list;
    if (list)
        list->prev = fresh;
    return fresh;
}

static struct node *unlink_node(struct node *list, struct node *node)
{
    if (node->prev)
        node->prev->next = node->next;
    else
        list = node->next;
    if (node->next)
        node->next->prev = node->prev;
    free(node);
    return list;
}

int main(void)
{
    struct node *list = push(push(push(NULL)));
    struct node *node = list;
    while (node->next && __VERIFIER_nondet_bool())
        node = node->next;
    list = unlink_node(list, node);
    struct node *last = list;
    while (last->next)
        last = last->next;
    while (last) {
        struct node *prev = last->prev;
        if (prev)
            prev->next = NULL;
        free(last);
        last = prev;
    }
    return 0;
}
