// expect: safe
// Two structs with the same layout: what one writes, the other reads.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct signed_pair { int x, y; };
struct unsigned_pair { unsigned a, b; };

int main(void)
{
    struct signed_pair *p = malloc(sizeof *p);
    int input = __VERIFIER_nondet_int();
    p->x = input;
    p->y = 0;
    for (int i = 0; i < 3; i++)
        p->y++;
    struct unsigned_pair *q = (struct unsigned_pair *)p;
    if (input == 5)
        assert(q->a == 5);
    assert(q->b == 3);
    free(q);
    return 0;
}
