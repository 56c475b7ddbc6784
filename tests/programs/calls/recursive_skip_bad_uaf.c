// expect: unsafe
// Reads the next node from one that is freed.
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
    free(list); // BAD: leak
    return skip(list->next); // BAD: use-after-free
}

int main(void)
{
    drop(skip(made()));
    return 0;
}
