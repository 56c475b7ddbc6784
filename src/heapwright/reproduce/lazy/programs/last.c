#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int h;
    struct node *n;
};

/* A value that is read from a list of 3s. */
int main(void) {
    struct node *l = NULL;
    int last = 3;
    while (__VERIFIER_nondet_int()) {
        struct node *t = malloc(sizeof *t);
        t->h = 3;
        t->n = l;
        l = t;
    }
    for (struct node *p = l; p != NULL; p = p->n)
        last = p->h;
    assert(last == 3);
    return 0;
}
