// expect: unsafe
// options: --objects 5
// A new element is not linked behind the last one.
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
            if (!tail)
                head = fresh;
            tail = fresh; // BAD: leak
        } else if (head) {
            struct node *first = head;
            head = first->next;
            if (!head)
                tail = NULL; // BAD: leak
            free(first);
        }
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0; // BAD: leak
}
