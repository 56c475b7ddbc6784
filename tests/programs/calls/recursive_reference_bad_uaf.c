// expect: unsafe
// Frees a node before the rest, which it leads to.
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
    if (*list) { // BAD: use-after-free
        free(*list); // BAD: leak
        drop(&(*list)->next);
        *list = NULL;
    }
}

int main(void)
{
    struct node *list = made();
    drop(&list);
    return 0;
}
