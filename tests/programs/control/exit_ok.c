// expect: safe
// After exit() nothing leaks.
// gcc: keeps
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static void leave(void)
{
    exit(1);
}

int main(void)
{
    int *p = malloc(sizeof *p);
    if (__VERIFIER_nondet_bool())
        leave();
    if (__VERIFIER_nondet_bool())
        exit(2);
    free(p);
    return 0;
}
