// expect: unsafe
// The early return forgets the first block.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int status = 1;
    int *b = NULL;
    int *a = malloc(sizeof *a);
    if (__VERIFIER_nondet_bool())
        return 1; // BAD: leak
    b = malloc(sizeof *b);
    *b = *a = 0;
    status = 0;
    free(b);
    free(a);
    return status;
}
