// expect: safe
// explore: unknown
// options: --objects 3
// Merges two lists in any order.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *build(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    return list;
}

int main(void)
{
    struct node *one = build();
    struct node *other = build();
    struct node *merged = NULL, *last = NULL;
    while (one || other) {
        struct node *node;
        if (one && (!other || __VERIFIER_nondet_int())) {
            node = one;
            one = one->next;
        } else {
            node = other;
            other = other->next;
        }
        node->next = NULL;
        if (last)
            last->next = node;
        else
            merged = node;
        last = node;
    }
    while (merged) {
        struct node *next = merged->next;
        free(merged);
        merged = next;
    }
    return 0;
}
