// expect: safe
// Runs in which an assumption does not hold do not count.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x == 1);
    __VERIFIER_assume(x == 2);
    assert(0);
    return 0;
}
