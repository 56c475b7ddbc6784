// expect: unsafe
// The copy shares all nodes but the first: freeing both frees the rest twice.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    _Bool value;
    struct node *next;
};

static struct node *copy(const struct node *list)
{
    if (!list)
        return NULL;
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = list->value;
    fresh->next = list->next;
    return fresh;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next; // BAD: use-after-free
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 2; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = __VERIFIER_nondet_bool();
        fresh->next = list;
        list = fresh;
    }
    struct node *other = copy(list);
    destroy(list);
    destroy(other);
    return 0;
}
