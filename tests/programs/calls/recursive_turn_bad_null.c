// expect: unsafe
// The callee cuts off the successor that its caller reads again.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *made(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = __VERIFIER_nondet_int();
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static void drop(struct node *list)
{
    while (list) {
        struct node *rest = list->next; // BAD: use-after-free
        free(list);
        list = rest;
    }
}

static struct node *turned(struct node *list, struct node **before)
{
    if (!list)
        return NULL;
    if (!list->next)
        return list;
    struct node *last = turned(list->next, &list->next);
    *before = NULL;
    list->next->next = list; // BAD: null-deref
    return last;
}

int main(void)
{
    struct node *list = made();
    drop(turned(list, &list));
    return 0;
}
