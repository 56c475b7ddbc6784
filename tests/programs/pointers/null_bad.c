// expect: unsafe
// Null is one of the cases, and only one of the places forgets it.
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int get(const int *p)
{
    return p ? *p : 0;
}

int main(void)
{
    int x = 4;
    int *p = __VERIFIER_nondet_bool() ? &x : NULL;
    int a = get(p);
    int b = *p; // BAD: null-deref
    return a - b;
}
