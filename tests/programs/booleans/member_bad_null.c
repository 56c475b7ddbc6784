// expect: unsafe
// The function tells whether a list has nodes.
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
    return list != NULL;
}

int main(void)
{
    struct node *list = made();
    if (has(list)) {
        struct node *at = list;
        while (!at->mark) // BAD: null-deref
            at = at->next;
    }
    drop(list);
    return 0;
}
