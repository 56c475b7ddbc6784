// expect: unsafe
// explore: unknown
// A pointer that comes out of arithmetic which is not followed is unknown, no junk: the run goes on behind it.
#include <stdint.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int *a = malloc(sizeof *a);
    int *null = NULL;
    if (!a)
        return 1;
    *a = 0;
    uintptr_t key = (uintptr_t)__VERIFIER_nondet_int();
    int *p = (int *)((uintptr_t)a * 3 - 2 * ((uintptr_t)a ^ key ^ key));
    *p = 1;
    if (*a == 1)
        *null = 1; // BAD: null-deref
    free(a);
    return 0;
}
