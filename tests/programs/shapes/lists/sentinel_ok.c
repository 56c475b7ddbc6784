// expect: safe
// explore: unknown
// options: --objects 3
// A list that begins with a node on the stack.
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
    while (head.next) {
        struct node *node = head.next;
        head.next = node->next;
        free(node);
    }
    return 0;
}
