/* Builds a singly linked list of any length, removes one element of it, and goes through the rest. Which element is
   removed is left open: the search for it may end at any time. */
#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *x; /* global, so that the list is no leak when the program ends */

int main(void)
{
    int length = 0;
    x = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *y = malloc(sizeof *y);
        y->value = __VERIFIER_nondet_int();
        y->next = x;
        x = y;
        length = length + 1;
    }

    struct node *before = NULL;
    struct node *y = x;
    while (y != NULL) {
        if (__VERIFIER_nondet_bool()) {
            struct node *after = y->next;
            if (before != NULL)
                before->next = after;
            else
                x = after;
            free(y);
            length = length - 1;
            break;
        }
        before = y;
        y = y->next;
    }

    int seen = 0;
    int largest = 0;
    y = x;
    while (y != NULL) {
        int value = y->value;
        if (value > largest)
            largest = value;
        seen = seen + 1;
        struct node *t = y->next;
        y = t;
    }
    if (seen != length)
        largest = 0;
    return 0;
}
