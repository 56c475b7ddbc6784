// expect: safe
// Cases fall through, default stands in the middle, and a case may be a range.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int weight(int kind)
{
    int w = 0;
    switch (kind) {
    case 0:
        w += 1;
        /* falls through */
    case 1:
        w += 10;
        break;
    default:
        w = 100;
        break;
    case 3 ... 5:
        return 7;
    }
    return w;
}

int main(void)
{
    int kind = __VERIFIER_nondet_int();
    __VERIFIER_assume(kind >= -1 && kind <= 6);
    int w = weight(kind);
    if (kind == 0)
        assert(w == 11);
    else if (kind == 1)
        assert(w == 10);
    else if (kind >= 3 && kind <= 5)
        assert(w == 7);
    else
        assert(w == 100);
    return 0;
}
