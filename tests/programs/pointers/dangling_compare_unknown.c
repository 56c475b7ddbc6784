// expect: unknown
// A new block may get the address of a freed one: whether it does is not for the program to decide.
// gcc: no the allocator decides
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof(int));
    int *copy = old;
    free(old);
    int *fresh = malloc(sizeof(int));
    _Bool same = fresh == copy;
    free(fresh);
    assert(!same);
    return 0;
}
