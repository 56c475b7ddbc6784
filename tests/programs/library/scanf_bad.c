// expect: unsafe
// gcc: no it reads nothing from the standard input
// scanf assigns what the environment likes, or nothing.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int value = 0;
    long other = 5;
    if (scanf("%d %ld", &value, &other) == 1)
        assert(value == 0); // BAD: assert
    else
        assert(other == 5); // BAD: assert
    return 0;
}
