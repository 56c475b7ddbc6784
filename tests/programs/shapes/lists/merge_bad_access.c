// expect: unsafe
// options: --objects 3
// The second list is taken from when it is empty.
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
        if (one && __VERIFIER_nondet_int()) {
            node = one;
            one = one->next;
        } else {
            node = other;
            other = other->next; // BAD: null-deref
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
