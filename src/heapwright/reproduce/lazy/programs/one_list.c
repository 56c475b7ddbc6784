#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int h;
    struct node *n;
};

/* A list of 1s that is checked. */
int main(void) {
    struct node *a = NULL, *t;
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        t->h = 1;
        t->n = a;
        a = t;
    }
    for (t = a; t != NULL; t = t->n)
        assert(t->h == 1);
    return 0;
}
