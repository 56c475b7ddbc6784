// expect: safe
// explore: unknown
// Frees a list by recursion, through pointers to the links.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

static struct node *made(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static void drop(struct node **list)
{
    if (*list) {
        drop(&(*list)->next);
        free(*list);
        *list = NULL;
    }
}

int main(void)
{
    struct node *list = made();
    drop(&list);
    return 0;
}
