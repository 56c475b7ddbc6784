// expect: safe
// explore: unknown
// A variable tells whether two lists have nodes.
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
    struct node *one = made();
    struct node *two = made();
    bool both = one && two;
    if (both)
        one->mark = two->mark;
    drop(one);
    drop(two);
    return 0;
}
