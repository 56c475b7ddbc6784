// expect: safe
// explore: unknown
// Merges two lists; each of two calls waits with a node of its own.
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
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
}

static struct node *merged(struct node *one, struct node *other)
{
    if (!one)
        return other;
    if (!other)
        return one;
    if (one->key <= other->key) {
        one->next = merged(one->next, other);
        return one;
    }
    other->next = merged(one, other->next);
    return other;
}

int main(void)
{
    struct node *one = made();
    struct node *other = made();
    drop(merged(one, other));
    return 0;
}
