// expect: unsafe
// The only pointer to a block is overwritten in a loop.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int *block = NULL;
    while (__VERIFIER_nondet_bool())
        block = malloc(sizeof *block); // BAD: leak
    free(block);
    return 0;
}
