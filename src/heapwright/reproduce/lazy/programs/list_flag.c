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

/* 1s or 2s, whichever a flag says, then a 3. */
int main(void) {
    int flag = __VERIFIER_nondet_int();
    struct node *a = fresh();
    struct node *p = a;
    while (__VERIFIER_nondet_int()) {
        if (flag)
            p->h = 1;
        else
            p->h = 2;
        p->n = fresh();
        p = p->n;
    }
    p->h = 3;
    p = a;
    if (flag)
        while (p->h == 1)
            p = p->n;
    else
        while (p->h == 2)
            p = p->n;
    assert(p->h == 3);
    return 0;
}
