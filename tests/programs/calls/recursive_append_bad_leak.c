// expect: unsafe
// Does not link the end of the first list.
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

static struct node *append(struct node *list, struct node *more)
{
    if (!list)
        return more;
    append(list->next, more);
    return list;
}

int main(void)
{
    struct node *one = made();
    struct node *two = made();
    drop(append(one, two));
    return 0; // BAD: leak
}
