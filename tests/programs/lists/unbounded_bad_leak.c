// expect: unsafe
// As long a list as the environment likes, of which the last node is never freed.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
    }
    while (list->next) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0; // BAD: leak
}
