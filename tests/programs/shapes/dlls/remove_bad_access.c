// expect: unsafe
// options: --objects 3
// The node behind is not told.
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
        free(node);
    }
    if (list && list->prev)
        list->prev->next = NULL; // BAD: use-after-free
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
