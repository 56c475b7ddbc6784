// expect: unsafe
// options: --objects 4
// Never inserts before the first node.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int key;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = __VERIFIER_nondet_int();
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static struct node *insert(struct node *sorted, struct node *node)
{
    if (!sorted) {
        node->next = sorted;
        return node;
    }
    struct node *before = sorted;
    while (before->next && before->next->key < node->key)
        before = before->next;
    node->next = before->next;
    before->next = node;
    return sorted;
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
    struct node *list = create(), *sorted = NULL;
    while (list) {
        struct node *node = list;
        list = list->next;
        sorted = insert(sorted, node);
    }
    for (struct node *p = sorted; p && p->next; p = p->next)
        assert(p->key <= p->next->key); // BAD: assert
    destroy(sorted);
    return 0;
}
