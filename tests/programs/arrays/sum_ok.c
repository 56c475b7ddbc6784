// expect: safe
// Sums an array of integers.
#include <assert.h>

int main(void)
{
    int a[4] = {1, 2, 3};
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += a[i];
    assert(sum == 6);
    return 0;
}
