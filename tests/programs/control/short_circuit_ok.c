// expect: safe
// The right operand is evaluated only where the left one lets it.
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
    if (p && *p == 1 && touch())
        assert(calls == 1);
    if (!p || *p != 1 || touch())
        assert(calls == (p ? 2 : 0));
    int both = (p != NULL) & 1;
    assert(both == !!p);
    return 0;
}
