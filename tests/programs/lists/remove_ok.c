// expect: safe
// Removes every node with a given value.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    _Bool marked;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->marked = __VERIFIER_nondet_bool();
        fresh->next = list;
        list = fresh;
    }
    struct node **link = &list;
    while (*link) {
        struct node *node = *link;
        if (node->marked) {
            *link = node->next;
            free(node);
        } else {
            link = &node->next;
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
