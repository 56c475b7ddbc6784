// expect: safe
// The value of an update of a bit-field is what the field can hold.
#include <assert.h>
#include <stdlib.h>

struct bits { unsigned a : 2, b : 3; int c : 3; };

int main(void)
{
    struct bits *p = malloc(sizeof *p), v;
    p->a = 3;
    p->b = 7;
    p->c = 3;
    assert(++p->a == 0);
    assert(--p->a == 3);
    assert((p->b += 2) == 1);
    assert(p->b++ == 1);
    assert(++p->c == -4);
    v = *p;
    assert(v.b == 2 && (v.c -= 1) == 3 && ++v.a == 0);
    free(p);
    return 0;
}
