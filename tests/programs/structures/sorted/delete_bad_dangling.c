// expect: unsafe
// options: --objects 4
// The node before the deleted ones still leads to them.
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
    int key = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = key;
        fresh->next = list;
        list = fresh;
        int smaller = __VERIFIER_nondet_int();
        if (smaller > key)
            break;
        key = smaller;
    }
    return list;
}

static struct node *delete(struct node *list, int key)
{
    struct node *before = NULL, *node = list;
    while (node && node->key < key) {
        before = node;
        node = node->next;
    }
    while (node && node->key == key) {
        struct node *next = node->next;
        free(node);
        node = next;
    }
    if (!before)
        return node;
    return list; // BAD: leak
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next; // BAD: use-after-free
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = delete(create(), __VERIFIER_nondet_int());
    destroy(list);
    return 0;
}
