// expect: unsafe
// The function tells the opposite.
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

static bool empty(struct node *list)
{
    return list != NULL;
}

int main(void)
{
    struct node *list = made();
    while (!empty(list)) {
        struct node *rest = list->next; // BAD: null-deref
        free(list);
        list = rest;
    }
    return 0; // BAD: leak
}
