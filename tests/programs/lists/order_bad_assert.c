// expect: unsafe
// The values descend, so that the claim about their order is wrong for two nodes and more.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    int value;
};

static struct node *build(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3 && __VERIFIER_nondet_bool(); i++) {
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
    for (struct node *p = list; p && p->next; p = p->next)
        assert(p->value < p->next->value); // BAD: assert
    destroy(list);
    return 0;
}
