// expect: unsafe
// The old pointer is dead after realloc.
#include <stdlib.h>

int main(void)
{
    int *a = malloc(sizeof(int));
    int *b = realloc(a, 2 * sizeof(int));
    b[1] = 1;
    a[0] = 1; // BAD: use-after-free
    free(b);
    return 0;
}
