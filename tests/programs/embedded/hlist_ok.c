// expect: safe
// A list whose nodes know the link that points to them.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct hnode {
    struct hnode *next, **pprev;
};

struct entry {
    int key;
    struct hnode node;
};

static void add(struct hnode *n, struct hnode **head)
{
    n->next = *head;
    if (*head)
        (*head)->pprev = &n->next;
    *head = n;
    n->pprev = head;
}

static void del(struct hnode *n)
{
    *n->pprev = n->next;
    if (n->next)
        n->next->pprev = n->pprev;
}

int main(void)
{
    struct hnode *bucket = NULL;
    struct entry *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->key = 1;
    b->key = 2;
    add(&a->node, &bucket);
    add(&b->node, &bucket);
    del(&a->node);
    assert(bucket == &b->node && !b->node.next);
    del(&b->node);
    assert(!bucket);
    free(a);
    free(b);
    return 0;
}
