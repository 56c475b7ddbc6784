// expect: safe
// explore: unknown
// Frees a node, then the rest of the list by recursion.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

static struct node *made(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static void drop(struct node *list)
{
    if (list) {
        struct node *rest = list->next;
        free(list);
        drop(rest);
    }
}

int main(void)
{
    drop(made());
    return 0;
}
