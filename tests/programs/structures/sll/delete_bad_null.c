// expect: unsafe
// options: --objects 5
// Does not stop where the list ends.
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

static struct node *delete(struct node *list)
{
    struct node *before = NULL, *node = list;
    while (node && __VERIFIER_nondet_int()) {
        before = node;
        node = node->next;
    }
    if (before)
        before->next = node->next; // BAD: null-deref
    else
        list = node->next;
    free(node);
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
    struct node *list = create();
    while (list && __VERIFIER_nondet_int())
        list = delete(list);
    destroy(list);
    return 0;
}
