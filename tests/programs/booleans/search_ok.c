// expect: safe
// explore: unknown
// A search that ends at a mark.
#include <assert.h>
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

int main(void)
{
    struct node *list = made();
    struct node *at = list;
    while (at && !at->mark)
        at = at->next;
    if (at)
        assert(at->mark);
    drop(list);
    return 0;
}
