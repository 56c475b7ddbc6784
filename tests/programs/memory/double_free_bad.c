// expect: unsafe
// Two names for one block.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    int *q = p;
    free(p);
    p = NULL;
    free(p);
    free(q); // BAD: double-free
    return 0;
}
