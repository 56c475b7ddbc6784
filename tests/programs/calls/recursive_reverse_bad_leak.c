// expect: unsafe
// Goes on with what the node leads to by now.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int key;
    struct node *next;
};

static struct node *made(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = 0;
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

static struct node *reversed(struct node *list, struct node *done)
{
    if (!list)
        return done;
    list->next = done; // BAD: leak
    return reversed(list->next, list);
}

int main(void)
{
    drop(reversed(made(), NULL));
    return 0;
}
