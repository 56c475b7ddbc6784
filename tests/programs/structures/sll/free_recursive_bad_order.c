// expect: unsafe
// options: --objects 4
// A node is freed before the rest of the list.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static void destroy(struct node *list)
{
    if (!list)
        return;
    free(list); // BAD: leak
    destroy(list->next); // BAD: use-after-free
}

int main(void)
{
    destroy(create());
    return 0;
}
