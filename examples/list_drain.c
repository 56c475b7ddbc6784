/* A list of any length is made, and freed node by node: the smallest loop that needs a shape. Every engine proves it,
 * each in its own way:
 *
 *     heapwright show examples/list_drain.c --engine lazy --html lazy.html
 */
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }

    while (list) {
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
    return 0;
}
