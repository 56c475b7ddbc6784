// expect: safe
#include <assert.h>
#include <stdlib.h>

static int by_value(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

int main(void)
{
    int numbers[3] = {1, 3, 5};
    int key = 5;
    int *found = bsearch(&key, numbers, 3, sizeof(int), by_value);
    if (found != NULL)
        assert(*found == 5);
    return 0;
}
