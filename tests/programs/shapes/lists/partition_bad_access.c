// expect: unsafe
// options: --objects 3
// The first part is freed before its values are looked at.
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
    struct node *negative = NULL, *positive = NULL;
    while (list) {
        struct node *node = list;
        list = list->next;
        if (node->value == 1) {
            node->next = positive;
            positive = node;
        } else {
            node->next = negative;
            negative = node;
        }
    }
    while (negative) {
        struct node *next = negative->next;
        assert(negative->value != 1);
        free(negative);
        negative = next;
    }
    while (positive) {
        struct node *next = positive->next;
        free(positive);
        assert(positive->value == 1); // BAD: use-after-free
        positive = next;
    }
    return 0;
}
