// expect: safe
// Inputs that are tested against constants.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 1 || x > 4)
        return 0;
    int q = 12 / x;
    assert(q * x + 12 % x == 12 && q >= 3);
    return 0;
}
