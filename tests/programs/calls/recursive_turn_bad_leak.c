// expect: unsafe
// Cuts a node off before its successor leads back to it.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *made(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = __VERIFIER_nondet_int();
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

static struct node *turned(struct node *list)
{
    if (!list || !list->next)
        return list;
    struct node *last = turned(list->next);
    list->next = NULL; // BAD: leak
    return last; // BAD: leak
}

int main(void)
{
    drop(turned(made()));
    return 0;
}
