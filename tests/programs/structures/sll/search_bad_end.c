// expect: unsafe
// options: --objects 4
// Forgets that the key may be missing.
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

static struct node *search(struct node *list, int key)
{
    while (list->key != key) // BAD: null-deref
        list = list->next;
    return list;
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
    struct node *list = create();
    int key = __VERIFIER_nondet_int();
    struct node *found = search(list, key);
    if (found) {
        assert(hw_reach(list, found, next));
        assert(found->key == key);
        found->key = 0;
    }
    destroy(list);
    return 0;
}
