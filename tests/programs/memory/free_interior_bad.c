// expect: unsafe
// Only the start of a block can be freed.
#include <stdlib.h>

int main(void)
{
    int *a = malloc(2 * sizeof(int));
    a++;
    free(a); // BAD: invalid-free
    return 0;
}
