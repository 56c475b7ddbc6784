// expect: unsafe
// A nondeterministic pointer is null or leads nowhere; freeing it is only fine in the first case.
#include <stdlib.h>

extern void *__VERIFIER_nondet_pointer(void);

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p)
        free(p); // BAD: invalid-free
    return 0;
}
