// expect: unsafe
// A forgotten break: the block that the first case frees is freed by the second.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof *p);
    switch (__VERIFIER_nondet_int()) {
    case 1:
        free(p);
    case 2:
        free(p); // BAD: double-free
        break;
    default:
        free(p);
    }
    return 0;
}
