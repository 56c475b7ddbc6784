// expect: safe
// options: --property valid-memsafety
// The property asks for memory safety; the assertion is not its business.
// gcc: no the assertion fails
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    int v = *p;
    free(p);
    assert(v == 2);
    return 0;
}
