// expect: unsafe
// A mark is negated twice.
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
    if (list) {
        list->mark = false;
        list->mark = !list->mark;
        list->mark = !list->mark;
        assert(list->mark); // BAD: assert
    }
    drop(list);
    return 0;
}
