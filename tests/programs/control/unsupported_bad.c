// expect: unsafe
// What comes before setjmp is decided.
#include <setjmp.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static jmp_buf place;

int main(void)
{
    int *block = calloc(1, sizeof *block);
    if (__VERIFIER_nondet_bool()) {
        free(block);
        return *block; // BAD: use-after-free
    }
    free(block);
    return setjmp(place);
}
