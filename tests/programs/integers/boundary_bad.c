// expect: unsafe
// Exactly one value of the input breaks the claim.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 1000 && x < 1002)
        assert(x != 1001); // BAD: assert
    return 0;
}
