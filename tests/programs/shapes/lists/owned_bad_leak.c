// expect: unsafe
// options: --objects 3
// The blocks of the nodes are not freed.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int *block;
    int owns;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->owns = 0;
        node->block = NULL;
        if (__VERIFIER_nondet_int()) {
            node->block = malloc(sizeof *node->block);
            node->owns = 1;
        }
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        if (list->owns == 1) {
            *list->block = 1;
        }
        free(list); // BAD: leak
        list = next;
    }
    return 0;
}
