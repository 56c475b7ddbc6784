// expect: unsafe
// qsort calls the comparison, on elements, and moves them.
#include <assert.h>
#include <stdlib.h>

static int by_value(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

int main(void)
{
    int numbers[3] = {3, 1, 2};
    qsort(numbers, 3, sizeof(int), by_value);
    assert(numbers[2] == 3 && numbers[0] == 3); // BAD: assert
    return 0;
}
