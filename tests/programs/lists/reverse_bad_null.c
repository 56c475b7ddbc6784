// expect: unsafe
// Does not expect an empty list.
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

static struct node *reverse(struct node *list)
{
    struct node *result = NULL;
    while (list->next) { // BAD: null-deref
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    list->next = result;
    return list;
}

int main(void)
{
    destroy(reverse(build()));
    return 0;
}
