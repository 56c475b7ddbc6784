// expect: unsafe
// A field whose address is taken somewhere is read through null.
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node last = {1, NULL}, first = {0, &last};
    struct node *p = __VERIFIER_nondet_bool() ? &first : &last;
    struct node **link = &p->next;
    *link = NULL;
    p = *link;
    p->next = NULL; // BAD: null-deref
    return 0;
}
