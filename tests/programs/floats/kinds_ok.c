// expect: safe
// Kinds of floating-point numbers, and comparisons that never raise an exception.
#include <assert.h>
#include <math.h>

int main(void)
{
    double inf = 1e308 * 10, nan = inf - inf;
    float f = 1.5f;
    assert(isinf(inf) && isinf(-inf) && !isinf(1.0) && !isinf(nan));
    assert(isfinite(f) && !isfinite(inf) && !isfinite(nan));
    assert(isnormal(1.0) && !isnormal(0.0) && !isnormal(4e-320) && !isnormal(inf));
    assert(signbit(-0.0) && !signbit(f) && signbit(-inf));
    assert(isgreater(2.0, 1.0) && !isgreater(nan, 1.0) && islessgreater(1.0, 2.0) && !islessgreater(1.0, 1.0) && isunordered(1.0, nan) && !isunordered(1.0, 2.0) && islessequal(1.0f, 1.0f));
    return 0;
}
