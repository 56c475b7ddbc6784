// expect: unsafe
// Asks an empty list for its last node.
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

static struct node *last(struct node *list)
{
    if (!list->next) // BAD: null-deref
        return list;
    return last(list->next);
}

int main(void)
{
    struct node *list = made();
    struct node *end = last(list);
    end->next = malloc(sizeof *end);
    end->next->next = NULL;
    drop(list);
    return 0;
}
