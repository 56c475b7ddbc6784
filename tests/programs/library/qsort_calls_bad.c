// expect: unsafe
// The comparison may do anything.
#include <stdlib.h>

static int *kept;

static int release(const void *left, const void *right)
{
    free(kept); // BAD: double-free
    return 0;
}

int main(void)
{
    int numbers[3] = {3, 1, 2};
    kept = malloc(sizeof(int));
    qsort(numbers, 3, sizeof(int), release);
    return 0;
}
