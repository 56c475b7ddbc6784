// expect: safe
// explore: unknown
// Two functions that call each other, beside one that calls itself.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int key;
    struct node *next;
};

static struct node *made(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = 0;
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static _Bool odd(struct node *list);

static _Bool even(struct node *list)
{
    return list ? odd(list->next) : 1;
}

static _Bool odd(struct node *list)
{
    return list ? even(list->next) : 0;
}

static void drop(struct node *list)
{
    if (!list)
        return;
    drop(list->next);
    free(list);
}

int main(void)
{
    struct node *list = made();
    if (!even(list))
        assert(list);
    drop(list);
    return 0;
}
