// expect: safe
// After abort() nothing leaks, and what follows is not reached.
// gcc: no the sanitizer counts abort as a failure
#include <stddef.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static void die(void)
{
    abort();
}

int main(void)
{
    int *p = NULL;
    if (__VERIFIER_nondet_bool())
        p = malloc(sizeof *p);
    if (!p)
        die();
    *p = 1;
    if (__VERIFIER_nondet_bool())
        abort();
    free(p);
    return 0;
}
