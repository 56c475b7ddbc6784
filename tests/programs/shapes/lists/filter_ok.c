// expect: safe
// explore: unknown
// options: --objects 3
// Removes the nodes with one value; the others keep theirs.
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
            free(node);
        } else {
            before = node;
        }
        node = next;
    }
    while (list) {
        struct node *next = list->next;
        assert(list->value != 1);
        free(list);
        list = next;
    }
    return 0;
}
