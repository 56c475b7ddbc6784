// expect: unsafe
// options: --objects 3
// Only the last node is freed.
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
    free(last);
    return 0; // BAD: leak
}
