// expect: safe
// explore: unknown
// options: --objects 3
// Takes a node out of the middle of a doubly linked list.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *prev;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->prev = NULL;
        node->next = list;
        if (list)
            list->prev = node;
        list = node;
    }
    struct node *node = list;
    while (node && __VERIFIER_nondet_int())
        node = node->next;
    if (node) {
        if (node->prev)
            node->prev->next = node->next;
        else
            list = node->next;
        if (node->next)
            node->next->prev = node->prev;
        free(node);
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
