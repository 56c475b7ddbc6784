#include <assert.h>

extern int __VERIFIER_nondet_int(void);

/* Two variables that are equal: which predicates hold together is what the strongest Boolean post knows. */
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x;
    if (x == 0)
        assert(y == 0);
    return 0;
}
