// expect: safe
// A node is inserted behind the head of a doubly linked list, and taken out again.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct item {
    struct item *next;
    struct item *prev;
};

int main(void)
{
    struct item *head = malloc(sizeof *head);
    head->next = NULL;
    head->prev = NULL;
    if (__VERIFIER_nondet_bool()) {
        struct item *fresh = malloc(sizeof *fresh);
        fresh->next = head->next;
        fresh->prev = head;
        head->next = fresh;
    }
    if (head->next) {
        struct item *gone = head->next;
        gone->prev->next = gone->next;
        free(gone);
    }
    free(head);
    return 0;
}
