// expect: unsafe
// Returns a node before it is linked.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

static struct node *build(void)
{
    if (__VERIFIER_nondet_bool())
        return NULL;
    struct node *fresh = malloc(sizeof *fresh);
    if (__VERIFIER_nondet_bool())
        return fresh;
    fresh->next = build();
    return fresh;
}

static void drop(struct node *list)
{
    while (list) {
        struct node *rest = list->next; // BAD: invalid-deref
        free(list);
        list = rest;
    }
}

int main(void)
{
    drop(build());
    return 0;
}
