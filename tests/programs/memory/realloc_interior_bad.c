// expect: unsafe
// Only the start of a block can be handed to realloc.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p);
    p[0] = 1;
    int *q = realloc(p + 1, 8 * sizeof *q); // BAD: invalid-free
    free(q);
    return 0;
}
