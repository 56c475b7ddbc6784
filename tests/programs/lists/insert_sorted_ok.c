// expect: safe
// Inserts into a sorted list through a pointer to the link.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct node {
    int key;
    struct node *next;
};

static void insert(struct node **link, int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    while (*link && (*link)->key < key)
        link = &(*link)->next;
    fresh->next = *link;
    *link = fresh;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        int key = __VERIFIER_nondet_int();
        __VERIFIER_assume(key >= 0 && key <= 2);
        insert(&list, key);
    }
    for (struct node *p = list; p->next; p = p->next)
        assert(p->key <= p->next->key);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
