// expect: unsafe
// An uninitialised integer may have any value, 7 for instance.
// gcc: no it has one value there
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    int v = *p;
    free(p);
    assert(v != 7); // BAD: assert
    return 0;
}
