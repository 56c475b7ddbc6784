// expect: safe
// Members that differ only in their sign see the same bits.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

union word { int i; unsigned u; };
union byte { unsigned char u; signed char s; };
union padded { struct { char a; int b; } s; short t[4]; };
union many { int i; unsigned u[2]; };

int main(void)
{
    union word w;
    w.u = 0xffffffffu;
    assert(w.i == -1);
    w.i = -2;
    assert(w.u == 0xfffffffeu);

    union byte *b = malloc(sizeof *b);
    b->s = -1;
    assert(b->u == 255);
    b->u = 200;
    assert(b->s == -56);
    free(b);

    union many m;
    for (int k = 0; k < 2; k++)
        m.u[k] = 0xfffffff0u + k;
    assert(m.i == -16 && m.u[1] == 0xfffffff1u);

    union padded p;
    p.t[1] = 7;
    memset(&p, 0, sizeof p);
    assert(p.t[1] == 0 && p.s.b == 0);

    union word row[3];
    for (int k = 0; k < 3; k++) {
        w.i = -k;
        row[k] = w;
    }
    assert(row[1].u == 0xffffffffu);
    return 0;
}
