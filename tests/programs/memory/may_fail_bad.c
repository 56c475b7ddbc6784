// expect: unsafe
// options: --malloc-may-fail
// A failing malloc is not expected.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1; // BAD: null-deref
    free(p);
    return 0;
}
