// expect: unsafe
// The negated flag is tested the wrong way.
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
    if (more)
        list->mark = false; // BAD: null-deref
    drop(list);
    return 0;
}
