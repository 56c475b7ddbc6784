/* Parts of floating-point numbers. */
#include "intrinsics.h"
#include <math.h>

double modf(double x, double *whole)
{
    *whole = trunc(x);
    if (*whole == x)
        return x < 0 ? -0.0 : 0.0;
    return x - *whole;
}

float modff(float x, float *whole)
{
    *whole = truncf(x);
    if (*whole == x)
        return x < 0 ? -0.0f : 0.0f;
    return x - *whole;
}

double frexp(double x, int *exponent)
{
    *exponent = hw_model_approximate_between(-1073, 1024);
    return hw_model_approximate_double();
}

float frexpf(float x, int *exponent)
{
    *exponent = hw_model_approximate_between(-148, 128);
    return (float)hw_model_approximate_double();
}

double remquo(double x, double y, int *quotient)
{
    *quotient = hw_model_approximate_int();
    return hw_model_approximate_double();
}

double nan(const char *tag)
{
    strlen(tag);
    return hw_model_approximate_double();
}
