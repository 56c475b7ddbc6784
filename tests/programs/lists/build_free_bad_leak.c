// expect: unsafe
// Frees the first node alone: the others lose their only holder.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3 && __VERIFIER_nondet_bool(); i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
    }
    if (list) {
        free(list); // BAD: leak
    }
    return 0;
}
