// expect: unsafe
// Forgets to keep the rest of the list before it turns the link round.
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
    while (list) {
        list->next = result; // BAD: leak
        result = list;
        list = list->next;
    }
    return result;
}

int main(void)
{
    struct node *list = reverse(build());
    if (list)
        list->next = NULL;
    destroy(list);
    return 0;
}
