// expect: safe
// explore: unknown
// A function tells whether it took a node.
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

static bool take(struct node **list, struct node **taken)
{
    if (!*list)
        return false;
    *taken = *list;
    *list = (*list)->next;
    return true;
}

int main(void)
{
    struct node *list = made();
    struct node *first;
    while (take(&list, &first))
        free(first);
    return 0;
}
