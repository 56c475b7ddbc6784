// expect: unsafe
// A bit operation evaluates both sides.
#include <assert.h>
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int calls;

static int touch(void)
{
    calls++;
    return 1;
}

int main(void)
{
    int x = 1;
    int *p = __VERIFIER_nondet_bool() ? &x : NULL;
    if ((p != NULL) & (*p == 1)) // BAD: null-deref
        assert(calls == 0);
    if (!p || *p != 1 || touch())
        assert(calls == (p ? 1 : 0));
    int both = (p != NULL) & 1;
    assert(both == !!p);
    return 0;
}
