// expect: unsafe
// options: --objects 3
// The node on the stack is freed like the others.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node head;
    struct node *last = &head;
    head.next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = NULL;
        last->next = node;
        last = node;
    }
    if (last == &head)
        free(last); // BAD: invalid-free
    while (head.next) {
        struct node *node = head.next;
        head.next = node->next;
        free(node);
    }
    return 0;
}
