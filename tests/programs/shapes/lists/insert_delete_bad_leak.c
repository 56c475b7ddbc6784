// expect: unsafe
// options: --objects 3
// What was behind the node is lost.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    while (list && __VERIFIER_nondet_int()) {
        struct node *node = list;
        while (node->next && __VERIFIER_nondet_int())
            node = node->next;
        if (__VERIFIER_nondet_int()) {
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = NULL;
            node->next = fresh; // BAD: leak
        } else if (node->next) {
            struct node *gone = node->next;
            node->next = gone->next;
            free(gone);
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
