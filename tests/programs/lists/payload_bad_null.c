// expect: unsafe
// The third element of a list may have no payload, which is used without a test.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct payload { int weight; };
struct element { struct payload *what; struct element *next; };

static struct element *added(struct element *list)
{
    struct element *new = malloc(sizeof *new);
    new->what = list == NULL || list->next == NULL ? malloc(sizeof *new->what) : NULL;
    if (new->what != NULL)
        new->what->weight = 1;
    new->next = list;
    return new;
}

int main(void)
{
    struct element *list = NULL;
    while (__VERIFIER_nondet_int())
        list = added(list);
    for (struct element *one = list; one != NULL; one = one->next)
        one->what->weight++; // BAD: null-deref
    while (list != NULL) {
        struct element *first = list;
        list = list->next;
        free(first->what);
        free(first);
    }
    return 0;
}
