// expect: unsafe
// One of two functions that free a list in turn reads the next node too late.
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
        free(list); // BAD: leak
        white(list->next); // BAD: use-after-free
    }
}

int main(void)
{
    white(made());
    return 0;
}
