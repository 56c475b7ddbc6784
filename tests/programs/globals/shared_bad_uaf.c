// expect: unsafe
// A function frees what a global still holds.
#include <stdlib.h>

static int *shared;

static void finish(int *p)
{
    free(p);
}

int main(void)
{
    shared = malloc(sizeof *shared);
    *shared = 1;
    finish(shared);
    return *shared; // BAD: use-after-free
}
