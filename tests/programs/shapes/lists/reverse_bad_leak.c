// expect: unsafe
// options: --objects 3
// The reversed list is appended in one of two cases.
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
    if (other) {
        struct node *last = other;
        while (last->next)
            last = last->next;
        last->next = reversed;
    } else {
        other = NULL;
    }
    while (other) {
        struct node *next = other->next;
        free(other);
        other = next;
    }
    return 0; // BAD: leak
}
