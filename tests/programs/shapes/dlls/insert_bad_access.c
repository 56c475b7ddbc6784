// expect: unsafe
// options: --objects 3
// The new node has no link back.
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
    while (node && node->next && __VERIFIER_nondet_int())
        node = node->next;
    if (node) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = node->next;
        if (node->next)
            node->next->prev = fresh;
        node->next = fresh;
        fresh->prev->next = fresh; // BAD: invalid-deref
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
