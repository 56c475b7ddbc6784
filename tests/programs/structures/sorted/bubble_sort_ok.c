// expect: safe
// explore: unknown
// options: --objects 4
// Sorts a list by swapping neighbours until nothing is to be swapped.
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
                if (before)
                    before->next = next;
                else
                    list = next;
                before = next;
                swapped = 1;
            } else {
                before = node;
                node = next;
            }
        }
    } while (swapped);
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
