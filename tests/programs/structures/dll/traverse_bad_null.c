// expect: unsafe
// options: --objects 5
// Forgets that there may be no node at all.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *prev;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->prev = NULL;
        fresh->next = list;
        if (list)
            list->prev = fresh;
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
    struct node *list = create();
    struct node *node = list;
    while (node->next) { // BAD: null-deref
        assert(node->next->prev == node);
        node = node->next;
    }
    while (node->prev)
        node = node->prev;
    assert(node == list);
    destroy(list);
    return 0;
}
