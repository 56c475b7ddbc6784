// expect: unsafe
// options: --objects 3
// What was in the other list is overwritten.
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
    struct node *other = NULL;
    while (__VERIFIER_nondet_int()) {
        if (list && __VERIFIER_nondet_int()) {
            struct node *node = list;
            list = node->next;
            node->next = NULL;
            other = node; // BAD: leak
        } else if (other) {
            struct node *node = other;
            other = node->next;
            node->next = list;
            list = node;
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    while (other) {
        struct node *next = other->next;
        free(other);
        other = next;
    }
    return 0;
}
