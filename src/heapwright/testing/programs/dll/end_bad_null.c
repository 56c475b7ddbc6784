// expect: unsafe
// The last node has no successor whose back pointer could be set.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct item {
    struct item *next;
    struct item *prev;
};

int main(void)
{
    struct item *first = malloc(sizeof *first);
    first->prev = NULL;
    first->next = NULL;
    struct item *second = malloc(sizeof *second);
    second->prev = first;
    second->next = NULL;
    first->next = second;
    struct item *gone = __VERIFIER_nondet_bool() ? first : second;
    gone->next->prev = gone->prev; // BAD: null-deref
    free(first);
    free(second);
    return 0;
}
