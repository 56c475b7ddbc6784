// expect: unsafe
// The second of two functions that walk along a list in turn does not see its end.
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

static void odd(struct node *list);

static void even(struct node *list)
{
    if (!list)
        return;
    list->key = 0;
    odd(list->next);
}

static void odd(struct node *list)
{
    list->key = 1; // BAD: null-deref
    even(list->next);
}

int main(void)
{
    struct node *list = made();
    even(list);
    drop(list);
    return 0;
}
