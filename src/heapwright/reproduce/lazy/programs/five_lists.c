#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int h;
    struct node *n;
};

/* Five lists that are made with one temporary, of which the first is checked. */
int main(void) {
    struct node *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *t;
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        t->h = 1;
        t->n = a;
        a = t;
    }
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        t->h = 2;
        t->n = b;
        b = t;
    }
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        t->h = 2;
        t->n = c;
        c = t;
    }
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        t->h = 2;
        t->n = d;
        d = t;
    }
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        t->h = 2;
        t->n = e;
        e = t;
    }
    for (t = a; t != NULL; t = t->n)
        assert(t->h == 1);
    return 0;
}
