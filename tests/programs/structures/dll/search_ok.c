// expect: safe
// explore: unknown
// options: --objects 4
// Looks for a node with a given key and walks back from it.
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *prev;
    int key;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = __VERIFIER_nondet_int();
        fresh->prev = NULL;
        fresh->next = list;
        if (list)
            list->prev = fresh;
        list = fresh;
    }
    return list;
}

static struct node *search(struct node *list, int key)
{
    while (list && list->key != key)
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
        assert(found->key == key);
        while (found->prev) {
            found = found->prev;
            assert(found->key != key);
        }
        assert(found == list);
    }
    destroy(list);
    return 0;
}
