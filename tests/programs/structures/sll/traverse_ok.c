// expect: safe
// explore: unknown
// options: --objects 5
// Visits every node and leaves a mark on it; all of them have it afterwards.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int seen;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->seen = 0;
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static void visit(struct node *list)
{
    for (struct node *node = list; node; node = node->next)
        node->seen = 1;
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
    visit(list);
    for (struct node *node = list; node; node = node->next)
        assert(node->seen == 1);
    destroy(list);
    return 0;
}
