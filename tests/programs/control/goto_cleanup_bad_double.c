// expect: unsafe
// Falls into the clean-up after it has freed the block already.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int status = 1;
    int *b = NULL;
    int *a = malloc(sizeof *a);
    if (__VERIFIER_nondet_bool())
        goto out;
    b = malloc(sizeof *b);
    *b = *a = 0;
    status = 0;
    free(a);
out:
    free(b);
    free(a); // BAD: double-free
    return status;
}
