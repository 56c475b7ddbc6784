// expect: safe
// explore: unknown
// A function tells whether a list has a mark, on which the next search relies.
#include <stdbool.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    bool mark;
    struct node *next;
};

static struct node *made(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->mark = __VERIFIER_nondet_bool();
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

static bool has(struct node *list)
{
    for (; list; list = list->next)
        if (list->mark)
            return true;
    return false;
}

int main(void)
{
    struct node *list = made();
    if (has(list)) {
        struct node *at = list;
        while (!at->mark)
            at = at->next;
    }
    drop(list);
    return 0;
}
