// expect: unsafe
// Frees the node and reads its link afterwards; the rest of the list hung on it alone.
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
            free(node); // BAD: leak
            *link = node->next; // BAD: use-after-free
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
