// expect: unsafe
// options: --objects 3
// gcc: no after the leak it never ends
// The second half begins one node too early: what follows is lost.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int key;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = __VERIFIER_nondet_int();
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static struct node *halve(struct node *list)
{
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *half = slow;
    slow->next = NULL; // BAD: leak
    return half; // BAD: leak
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node *list = NULL, *last = NULL;
    while (a && b) {
        struct node *taken;
        if (a->key <= b->key) {
            taken = a;
            a = a->next;
        } else {
            taken = b;
            b = b->next;
        }
        if (last)
            last->next = taken;
        else
            list = taken;
        last = taken;
    }
    struct node *rest = a ? a : b;
    if (!last)
        return rest;
    last->next = rest;
    return list;
}

static struct node *sort(struct node *list)
{
    if (!list || !list->next)
        return list;
    struct node *half = halve(list);
    list = sort(list);
    half = sort(half);
    return merge(list, half);
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
    struct node *list = sort(create());
    assert(hw_sorted(list, next, key)); // BAD: shape
    destroy(list);
    return 0;
}
