// expect: safe
// explore: unknown
// A counter that may take any value: its states are too many to be enumerated.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0;
    while (i < n)
        i++;
    assert(i == n);
    return 0;
}
