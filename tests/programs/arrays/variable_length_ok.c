// expect: safe
// An array of variable length.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int n = __VERIFIER_nondet_bool() ? 2 : 3;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    assert(a[n - 1] == n - 1);
    return 0;
}
