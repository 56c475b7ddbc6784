// expect: unsafe
// options: --objects 3
// The new node hangs in the list by its prev alone.
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
        fresh->prev = node;
        if (node->next)
            node->next->prev = fresh;
        assert(fresh->prev == node);
    } // BAD: leak
    while (list) {
        struct node *next = list->next;
        free(list); // BAD: leak
        list = next;
    }
    return 0;
}
