// expect: safe
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next, *prev;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 2 && __VERIFIER_nondet_bool(); i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        fresh->prev = NULL;
        if (list)
            list->prev = fresh;
        list = fresh;
        assert(hw_dll(list, next, prev));
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
