// expect: safe
// explore: unknown
// options: --objects 5
// A queue whose head and tail are variables.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *head = NULL, *tail = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = NULL;
            if (tail)
                tail->next = fresh;
            else
                head = fresh;
            tail = fresh;
        } else if (head) {
            struct node *first = head;
            head = first->next;
            if (!head)
                tail = NULL;
            free(first);
        }
        assert(hw_reach(head, tail, next));
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
