// expect: safe
// A block that was there all the time has another address.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *beside = malloc(sizeof(int));
    int *p = malloc(sizeof(int));
    p = realloc(p, 2 * sizeof(int));
    assert(p != beside);
    free(p);
    free(beside);
    return 0;
}
