// expect: unsafe
// options: --objects 4
// The end of the list is not looked for.
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
    if (list->next) // BAD: null-deref
        destroy(list->next);
    free(list);
}

int main(void)
{
    destroy(create());
    return 0;
}
