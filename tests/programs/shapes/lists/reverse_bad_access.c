// expect: unsafe
// options: --objects 3
// The last node of an empty list.
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
    struct node *list = build(), *reversed = NULL, *other = build();
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    struct node *last = other;
    while (last->next) // BAD: null-deref
        last = last->next;
    last->next = reversed;
    while (other) {
        struct node *next = other->next;
        free(other);
        other = next;
    }
    return 0;
}
