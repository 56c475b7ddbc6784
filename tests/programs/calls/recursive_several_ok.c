// expect: safe
// explore: unknown
// Builds, copies and frees lists, each by a recursive function of its own.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

static struct node *made(void)
{
    if (!__VERIFIER_nondet_bool())
        return NULL;
    struct node *list = malloc(sizeof *list);
    list->next = made();
    return list;
}

static struct node *copied(struct node *list)
{
    if (!list)
        return NULL;
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = copied(list->next);
    return fresh;
}

static void drop(struct node *list)
{
    if (list) {
        drop(list->next);
        free(list);
    }
}

int main(void)
{
    struct node *list = made();
    struct node *copy = copied(list);
    drop(list);
    drop(copy);
    return 0;
}
