#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int h;
    struct node *n;
};

static struct node *fresh(void) {
    struct node *made = malloc(sizeof *made);
    if (made == NULL)
        exit(1);
    return made;
}

/* Any number of 1s, then any number of 2s, then a 3. */
int main(void) {
    struct node *a = fresh();
    struct node *p = a;
    while (__VERIFIER_nondet_int()) {
        p->h = 1;
        p->n = fresh();
        p = p->n;
    }
    while (__VERIFIER_nondet_int()) {
        p->h = 2;
        p->n = fresh();
        p = p->n;
    }
    p->h = 3;
    p->n = NULL;
    p = a;
    while (p->h == 1)
        p = p->n;
    while (p->h == 2)
        p = p->n;
    assert(p->h == 3);
    return 0;
}
