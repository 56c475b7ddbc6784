// expect: unsafe
// An uninitialised pointer is nothing to free.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int *p;
    if (__VERIFIER_nondet_bool())
        p = NULL;
    free(p); // BAD: invalid-free
    return 0;
}
