// expect: safe
// Merges two sorted lists without allocating.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int key;
    struct node *next;
};

static struct node *cons(int key, struct node *next)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->next = next;
    return fresh;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node head, *last = &head;
    while (a && b) {
        struct node **smaller = a->key <= b->key ? &a : &b;
        last->next = *smaller;
        last = *smaller;
        *smaller = (*smaller)->next;
    }
    last->next = a ? a : b;
    return head.next;
}

int main(void)
{
    struct node *a = cons(1, cons(3, NULL));
    struct node *b = __VERIFIER_nondet_bool() ? cons(2, NULL) : cons(0, cons(4, NULL));
    struct node *list = merge(a, b);
    int count = 0;
    for (struct node *p = list; p; p = p->next) {
        assert(!p->next || p->key <= p->next->key);
        count++;
    }
    assert(count == 3 || count == 4);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
