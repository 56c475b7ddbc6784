// expect: unsafe
// The search for the last node does not expect an empty list.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    int value;
};

static struct node *build(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 2 && __VERIFIER_nondet_bool(); i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = build();
    struct node *last = list;
    while (last->next) // BAD: null-deref
        last = last->next;
    last->value = 1;
    destroy(list);
    return 0;
}
