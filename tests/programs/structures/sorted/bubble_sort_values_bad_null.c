// expect: unsafe
// options: --objects 3
// The last node has no neighbour.
#include <assert.h>
#include <stdlib.h>

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

static void sort(struct node *list)
{
    int swapped;
    do {
        swapped = 0;
        for (struct node *node = list; node; node = node->next) {
            if (node->key > node->next->key) { // BAD: null-deref
                int key = node->key;
                node->key = node->next->key;
                node->next->key = key;
                swapped = 1;
            }
        }
    } while (swapped);
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
    sort(list);
    for (struct node *p = list; p && p->next; p = p->next)
        assert(p->key <= p->next->key);
    destroy(list);
    return 0;
}
