// expect: unsafe
// options: --objects 5
// When the last element leaves, the tail still points to it.
#include <stdlib.h>

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
                tail->next = fresh; // BAD: use-after-free
            else
                head = fresh;
            tail = fresh;
        } else if (head) {
            struct node *first = head;
            head = first->next;
            free(first);
        }
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
