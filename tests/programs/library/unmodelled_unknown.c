// expect: unknown
// gcc: no a compiled program knows what it writes
// What a function without a model writes is not known: nothing is proved against it, and nothing violated.
#include <assert.h>
#include <math.h>

int main(void)
{
    int exponent = 0;
    frexp(8.0, &exponent);
    assert(exponent == 0);
    return 0;
}
