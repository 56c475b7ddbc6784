// expect: safe
// explore: unknown
// Deals the nodes of a list to two lists.
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

static struct node *every_second(struct node *list)
{
    if (!list || !list->next)
        return NULL;
    struct node *second = list->next;
    list->next = second->next;
    second->next = every_second(list->next);
    return second;
}

int main(void)
{
    struct node *list = made();
    struct node *others = every_second(list);
    drop(list);
    drop(others);
    return 0;
}
