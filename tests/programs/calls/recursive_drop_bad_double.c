// expect: unsafe
// Frees the first node once more.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

static struct node *made(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static void drop(struct node *list)
{
    if (list) {
        struct node *rest = list->next;
        free(list);
        drop(rest);
    }
}

int main(void)
{
    struct node *list = made();
    drop(list);
    free(list); // BAD: double-free
    return 0;
}
