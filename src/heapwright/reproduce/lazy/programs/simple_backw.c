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

/* A list of 1s, prepended one by one. */
int main(void) {
    struct node *a = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *t = fresh();
        t->h = 1;
        t->n = a;
        a = t;
    }
    struct node *p = a;
    while (p != NULL) {
        assert(p->h == 1);
        p = p->n;
    }
    return 0;
}
