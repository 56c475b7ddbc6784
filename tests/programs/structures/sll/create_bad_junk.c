// expect: unsafe
// options: --objects 5
// The link of the last node is never set.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *create(void)
{
    struct node *list = NULL, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        if (last)
            last->next = fresh;
        else
            list = fresh;
        last = fresh;
    }
    return list;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next; // BAD: invalid-deref
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = create();
    destroy(list);
    return 0;
}
