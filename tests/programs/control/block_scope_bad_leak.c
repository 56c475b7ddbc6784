// expect: unsafe
// The variable that holds the block ends with the body of the loop.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    for (int i = 0; i < 2; i++) {
        int *p = malloc(sizeof *p);
        *p = i;
        if (__VERIFIER_nondet_bool())
            free(p);
    } // BAD: leak
    return 0;
}
