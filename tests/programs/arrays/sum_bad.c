// expect: unsafe
// Reads one cell too many.
#include <assert.h>

int main(void)
{
    int a[4] = {1, 2, 3};
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += a[i]; // BAD: bounds
    assert(sum == 6);
    return 0;
}
