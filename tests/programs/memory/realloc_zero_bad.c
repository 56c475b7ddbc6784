// expect: unsafe
// gcc: no the realloc of a C test always returns a block
// realloc of size 0 may free the block and return null.
#include <stdlib.h>

int main(void)
{
    int size = 0;
    int *p = malloc(sizeof(int));
    int *q = realloc(p, size);
    if (q == NULL)
        free(p); // BAD: double-free
    else
        free(q);
    return 0;
}
