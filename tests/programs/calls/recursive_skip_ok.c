// expect: safe
// explore: unknown
// Frees nodes up to some place by recursion, and returns the rest.
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
    while (list) {
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
}

static struct node *skip(struct node *list)
{
    if (!list || __VERIFIER_nondet_bool())
        return list;
    struct node *rest = list->next;
    free(list);
    return skip(rest);
}

int main(void)
{
    drop(skip(made()));
    return 0;
}
