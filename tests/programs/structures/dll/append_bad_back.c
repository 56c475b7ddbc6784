// expect: unsafe
// options: --objects 4
// The second list does not lead back into the first one.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *prev;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->prev = NULL;
        fresh->next = list;
        if (list)
            list->prev = fresh;
        list = fresh;
    }
    return list;
}

static struct node *append(struct node *first, struct node *second)
{
    if (!first)
        return second;
    struct node *last = first;
    while (last->next)
        last = last->next;
    last->next = second;
    return first;
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
    struct node *first = create();
    struct node *second = create();
    first = append(first, second);
    assert(hw_dll(first, next, prev)); // BAD: shape
    destroy(first);
    return 0;
}
