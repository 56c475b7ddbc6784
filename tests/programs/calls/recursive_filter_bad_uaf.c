// expect: unsafe
// Does not link what is left of the rest.
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
        struct node *rest = list->next; // BAD: use-after-free
        free(list);
        list = rest;
    }
}

static struct node *filter(struct node *list)
{
    if (!list)
        return NULL;
    filter(list->next); // BAD: leak
    if (__VERIFIER_nondet_bool()) {
        struct node *rest = list->next;
        free(list);
        return rest;
    }
    return list;
}

int main(void)
{
    drop(filter(made()));
    return 0;
}
