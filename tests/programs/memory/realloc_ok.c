// expect: safe
// realloc keeps the contents; from null it allocates.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *a = realloc(NULL, 1 * sizeof(int));
    a[0] = 4;
    a = realloc(a, 2 * sizeof(int));
    a[1] = 5;
    assert(a[0] == 4 && a[1] == 5);
    free(a);
    return 0;
}
