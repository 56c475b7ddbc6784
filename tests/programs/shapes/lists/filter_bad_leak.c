// expect: unsafe
// options: --objects 3
// A node that is removed is not freed.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->value = __VERIFIER_nondet_int() ? 1 : -1;
        node->next = list;
        list = node;
    }
    struct node *before = NULL, *node = list;
    while (node) {
        struct node *next = node->next;
        if (node->value == 1) {
            if (before)
                before->next = next;
            else
                list = next;
            // it stays
        } else {
            before = node;
        }
        node = next; // BAD: leak
    }
    while (list) {
        struct node *next = list->next;
        assert(list->value != 1);
        free(list);
        list = next;
    }
    return 0;
}
