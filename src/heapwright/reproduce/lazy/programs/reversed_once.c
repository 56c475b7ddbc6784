#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int h;
    struct node *n;
};

/* A list of 1s that is checked, then reversed. */
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
    t = NULL;
    while (a != NULL) {
        struct node *next = a->n;
        a->n = t;
        t = a;
        a = next;
    }
    a = t;
    return 0;
}
