// expect: safe
// explore: unknown
// Two functions free a list in turn, from its end.
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

static void black(struct node *list);

static void white(struct node *list)
{
    if (list) {
        black(list->next);
        free(list);
    }
}

static void black(struct node *list)
{
    if (list) {
        white(list->next);
        free(list);
    }
}

int main(void)
{
    white(made());
    return 0;
}
