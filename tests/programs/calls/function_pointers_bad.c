// expect: unsafe
// One of the functions that the pointer may hold frees its argument.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static void keep(int *p)
{
    *p = 1;
}

static void drop(int *p)
{
    free(p);
}

int main(void)
{
    int *p = malloc(sizeof *p);
    void (*action)(int *) = __VERIFIER_nondet_bool() ? keep : drop;
    action(p);
    *p = 2; // BAD: use-after-free
    free(p);
    return 0;
}
