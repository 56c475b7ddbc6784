// expect: unsafe
// options: --objects 5
// The way back goes wrong: a new node does not become the predecessor of the old first one.
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
            list->prev = NULL;
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
    if (list) {
        struct node *node = list;
        while (node->next) {
            node = node->next;
        }
        while (node->prev)
            node = node->prev;
        assert(node == list); // BAD: assert
    }
    destroy(list);
    return 0;
}
