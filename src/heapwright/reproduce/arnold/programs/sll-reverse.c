/* Builds a singly linked list of any length, reverses it in place, and goes through the result. */
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

    int moved = 0;
    struct node *reversed = NULL;
    while (x != NULL) {
        struct node *t = x->next;
        x->next = reversed;
        reversed = x;
        x = t;
        moved = moved + 1;
    }
    x = reversed;
    reversed = NULL;

    int seen = 0;
    int largest = 0;
    struct node *y = x;
    while (y != NULL) {
        int value = y->value;
        if (value > largest)
            largest = value;
        seen = seen + 1;
        struct node *t = y->next;
        y = t;
    }
    if (seen != length || moved != length)
        largest = 0;
    return 0;
}
