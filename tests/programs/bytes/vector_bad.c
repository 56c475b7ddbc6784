// expect: unsafe
// A count of bytes is not a count of cells: only one element is written.
#include <stdlib.h>
#include <string.h>

static void put(void *target, const void *source, size_t size)
{
    memcpy((char *)target, source, size);
}

int main(void)
{
    int from[4] = {1, 2, 3, 4};
    int *to = calloc(4, sizeof(int));
    int *p = NULL;
    put(to, from, sizeof(int));
    if (to[0] == 1 && to[1] == 0)
        *p = 1; // BAD: null-deref
    free(to);
    return 0;
}
