// expect: safe
// A flag of unknown value is negated.
#include <stdbool.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    bool mark;
    struct node *next;
};

static void drop(struct node *list)
{
    while (list) {
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
}

int main(void)
{
    struct node *list = NULL;
    bool more = __VERIFIER_nondet_bool();
    if (more) {
        list = malloc(sizeof *list);
        list->next = NULL;
    }
    more = !more;
    if (!more)
        list->mark = false;
    drop(list);
    return 0;
}
