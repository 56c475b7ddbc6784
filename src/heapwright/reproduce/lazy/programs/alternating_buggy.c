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

/* 1s and 2s in turn, then a 3. But the flag is not set again. */
int main(void) {
    int flag = 1;
    struct node *a = fresh();
    struct node *p = a;
    while (__VERIFIER_nondet_int()) {
        if (flag) {
            p->h = 1;
            flag = 0;
        } else {
            p->h = 2;
        }
        p->n = fresh();
        p = p->n;
    }
    p->h = 3;
    p = a;
    flag = 1;
    while (p->h != 3) {
        if (flag) {
            flag = 0;
            assert(p->h == 1);
        } else {
            flag = 1;
            assert(p->h == 2);
        }
        p = p->n;
    }
    return 0;
}
