// lazy: lost heap: what unreachable commands write was considered live before them
#include <assert.h>
#include <stdlib.h>
struct node {
    unsigned data;
};
static struct node *insert(struct node *list, unsigned data)
{
    struct node *fresh = malloc(sizeof *fresh), *last = NULL, *here = list;
    if (!last) return fresh;
}
int main(void)
{
    struct node *p0 = NULL, *p1 = NULL, *p2 = NULL;
    unsigned i2 = 32767;
    while (__VERIFIER_nondet_int() > 0) p0 = insert(p0, __VERIFIER_nondet_int());
    p1 = insert(p1, __VERIFIER_nondet_int());
    if (p0 && p0->data == i2) { assert(p0->data == i2); }
    return 0;
}
