// expect: unsafe
// options: --objects 3
// The node before is read too late.
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
    struct node *last = list;
    while (last && last->next)
        last = last->next;
    while (last) {
        free(last);
        last = last->prev; // BAD: use-after-free
    }
    return 0;
}
