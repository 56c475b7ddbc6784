// expect: unsafe
// gcc: no an allocator decides
// realloc may return the old address or another one, and then always the same.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    int *old = p;
    p = realloc(p, 2 * sizeof(int));
    int same = p == old;
    assert(same == (old == p));
    if (same)
        assert(p + 1 != old + 1); // BAD: assert
    else
        assert(0); // BAD: assert
    free(p);
    return 0;
}
