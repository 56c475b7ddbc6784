// expect: unsafe
// bsearch may find nothing.
#include <stdlib.h>

static int by_value(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

int main(void)
{
    int numbers[3] = {1, 3, 5};
    int key = 4;
    int *found = bsearch(&key, numbers, 3, sizeof(int), by_value);
    return *found; // BAD: null-deref
}
