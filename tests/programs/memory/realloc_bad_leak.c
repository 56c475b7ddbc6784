// expect: unsafe
// options: --malloc-may-fail
// When realloc fails, the old block stays, and the only pointer to it was overwritten.
#include <stdlib.h>

int main(void)
{
    int *a = malloc(sizeof(int));
    if (!a)
        return 1;
    a = realloc(a, 2 * sizeof(int)); // BAD: leak
    free(a);
    return 0;
}
