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

/* A list of 1s, appended one by one. */
int main(void) {
    struct node *a = fresh();
    struct node *p = a;
    while (__VERIFIER_nondet_int()) {
        p->h = 1;
        p->n = fresh();
        p = p->n;
    }
    p->h = 1;
    p->n = NULL;
    p = a;
    while (p != NULL) {
        assert(p->h == 1);
        p = p->n;
    }
    return 0;
}
