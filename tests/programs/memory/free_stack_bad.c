// expect: unsafe
// A variable on the stack is no heap block, nor is what alloca gives, nor a static variable.
#include <alloca.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int fixed;

int main(void)
{
    int local = 0;
    int *a = alloca(sizeof(int));
    *a = 1;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        free(&local); // BAD: invalid-free
        break;
    case 1:
        free(a); // BAD: invalid-free
        break;
    case 2:
        free(&fixed); // BAD: invalid-free
        break;
    }
    return 0;
}
