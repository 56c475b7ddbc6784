// expect: safe
// Walks forwards and backwards; both directions agree.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    struct node *prev;
};

static struct node *push(struct node *list)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->prev = NULL;
    fresh->next = list;
    if (list)
        list->prev = fresh;
    return fresh;
}

int main(void)
{
    struct node *list = NULL;
    int count = 0;
    for (; count < 3 && (count == 0 || __VERIFIER_nondet_bool()); count++)
        list = push(list);
    struct node *node = list;
    for (; node->next; node = node->next)
        assert(node->next->prev == node);
    int back = 1;
    for (; node->prev; node = node->prev)
        back++;
    assert(node == list && back == count);
    while (list) {
        node = list->next;
        free(list);
        list = node;
    }
    return 0;
}
