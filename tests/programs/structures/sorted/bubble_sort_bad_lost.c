// expect: unsafe
// options: --objects 4
// The node before the two is not linked to the one that is first now.
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

static struct node *sort(struct node *list)
{
    int swapped;
    do {
        swapped = 0;
        struct node *before = NULL, *node = list;
        while (node && node->next) {
            struct node *next = node->next;
            if (node->key > next->key) {
                node->next = next->next;
                next->next = node;
                if (!before)
                    list = next;
                before = next; // BAD: leak
                swapped = 1;
            } else {
                before = node; // BAD: leak
                node = next;
            }
        }
    } while (swapped); // BAD: leak
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
    struct node *list = sort(create());
    assert(hw_sorted(list, next, key));
    destroy(list);
    return 0;
}
