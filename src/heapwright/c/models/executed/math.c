/* Mathematical functions of a program that is executed: the console computes them. */
#include "intrinsics.h"
#include <math.h>

double sin(double x)
{
    return hw_model_console_double("math sin", x);
}

float sinf(float x)
{
    return (float)hw_model_console_double("math sin", (double)x);
}

double cos(double x)
{
    return hw_model_console_double("math cos", x);
}

float cosf(float x)
{
    return (float)hw_model_console_double("math cos", (double)x);
}

double tan(double x)
{
    return hw_model_console_double("math tan", x);
}

float tanf(float x)
{
    return (float)hw_model_console_double("math tan", (double)x);
}

double asin(double x)
{
    return hw_model_console_double("math asin", x);
}

float asinf(float x)
{
    return (float)hw_model_console_double("math asin", (double)x);
}

double acos(double x)
{
    return hw_model_console_double("math acos", x);
}

float acosf(float x)
{
    return (float)hw_model_console_double("math acos", (double)x);
}

double atan(double x)
{
    return hw_model_console_double("math atan", x);
}

float atanf(float x)
{
    return (float)hw_model_console_double("math atan", (double)x);
}

double sinh(double x)
{
    return hw_model_console_double("math sinh", x);
}

float sinhf(float x)
{
    return (float)hw_model_console_double("math sinh", (double)x);
}

double cosh(double x)
{
    return hw_model_console_double("math cosh", x);
}

float coshf(float x)
{
    return (float)hw_model_console_double("math cosh", (double)x);
}

double tanh(double x)
{
    return hw_model_console_double("math tanh", x);
}

float tanhf(float x)
{
    return (float)hw_model_console_double("math tanh", (double)x);
}

double asinh(double x)
{
    return hw_model_console_double("math asinh", x);
}

float asinhf(float x)
{
    return (float)hw_model_console_double("math asinh", (double)x);
}

double acosh(double x)
{
    return hw_model_console_double("math acosh", x);
}

float acoshf(float x)
{
    return (float)hw_model_console_double("math acosh", (double)x);
}

double atanh(double x)
{
    return hw_model_console_double("math atanh", x);
}

float atanhf(float x)
{
    return (float)hw_model_console_double("math atanh", (double)x);
}

double exp(double x)
{
    return hw_model_console_double("math exp", x);
}

float expf(float x)
{
    return (float)hw_model_console_double("math exp", (double)x);
}

double exp2(double x)
{
    return hw_model_console_double("math exp2", x);
}

float exp2f(float x)
{
    return (float)hw_model_console_double("math exp2", (double)x);
}

double expm1(double x)
{
    return hw_model_console_double("math expm1", x);
}

float expm1f(float x)
{
    return (float)hw_model_console_double("math expm1", (double)x);
}

double log(double x)
{
    return hw_model_console_double("math log", x);
}

float logf(float x)
{
    return (float)hw_model_console_double("math log", (double)x);
}

double log10(double x)
{
    return hw_model_console_double("math log10", x);
}

float log10f(float x)
{
    return (float)hw_model_console_double("math log10", (double)x);
}

double log1p(double x)
{
    return hw_model_console_double("math log1p", x);
}

float log1pf(float x)
{
    return (float)hw_model_console_double("math log1p", (double)x);
}

double log2(double x)
{
    return hw_model_console_double("math log2", x);
}

float log2f(float x)
{
    return (float)hw_model_console_double("math log2", (double)x);
}

double cbrt(double x)
{
    return hw_model_console_double("math cbrt", x);
}

float cbrtf(float x)
{
    return (float)hw_model_console_double("math cbrt", (double)x);
}

double erf(double x)
{
    return hw_model_console_double("math erf", x);
}

float erff(float x)
{
    return (float)hw_model_console_double("math erf", (double)x);
}

double erfc(double x)
{
    return hw_model_console_double("math erfc", x);
}

float erfcf(float x)
{
    return (float)hw_model_console_double("math erfc", (double)x);
}

double tgamma(double x)
{
    return hw_model_console_double("math tgamma", x);
}

float tgammaf(float x)
{
    return (float)hw_model_console_double("math tgamma", (double)x);
}

double lgamma(double x)
{
    return hw_model_console_double("math lgamma", x);
}

float lgammaf(float x)
{
    return (float)hw_model_console_double("math lgamma", (double)x);
}

double round(double x)
{
    return hw_model_console_double("math round", x);
}

float roundf(float x)
{
    return (float)hw_model_console_double("math round", (double)x);
}

double rint(double x)
{
    return hw_model_console_double("math rint", x);
}

float rintf(float x)
{
    return (float)hw_model_console_double("math rint", (double)x);
}

double nearbyint(double x)
{
    return hw_model_console_double("math nearbyint", x);
}

float nearbyintf(float x)
{
    return (float)hw_model_console_double("math nearbyint", (double)x);
}

double pow(double x, double y)
{
    return hw_model_console_double("math pow", x, y);
}

float powf(float x, float y)
{
    return (float)hw_model_console_double("math pow", (double)x, (double)y);
}

double atan2(double x, double y)
{
    return hw_model_console_double("math atan2", x, y);
}

float atan2f(float x, float y)
{
    return (float)hw_model_console_double("math atan2", (double)x, (double)y);
}

double hypot(double x, double y)
{
    return hw_model_console_double("math hypot", x, y);
}

float hypotf(float x, float y)
{
    return (float)hw_model_console_double("math hypot", (double)x, (double)y);
}

double remainder(double x, double y)
{
    return hw_model_console_double("math remainder", x, y);
}

float remainderf(float x, float y)
{
    return (float)hw_model_console_double("math remainder", (double)x, (double)y);
}

double copysign(double x, double y)
{
    return hw_model_console_double("math copysign", x, y);
}

float copysignf(float x, float y)
{
    return (float)hw_model_console_double("math copysign", (double)x, (double)y);
}

double fmax(double x, double y)
{
    return hw_model_console_double("math fmax", x, y);
}

float fmaxf(float x, float y)
{
    return (float)hw_model_console_double("math fmax", (double)x, (double)y);
}

double fmin(double x, double y)
{
    return hw_model_console_double("math fmin", x, y);
}

float fminf(float x, float y)
{
    return (float)hw_model_console_double("math fmin", (double)x, (double)y);
}

double fdim(double x, double y)
{
    return hw_model_console_double("math fdim", x, y);
}

float fdimf(float x, float y)
{
    return (float)hw_model_console_double("math fdim", (double)x, (double)y);
}

double ldexp(double x, int exponent)
{
    return hw_model_console_double("math ldexp", x, (double)exponent);
}

long lround(double x)
{
    return (long)hw_model_console_double("math round", x);
}

long lrint(double x)
{
    return (long)hw_model_console_double("math rint", x);
}

long long llround(double x)
{
    return (long long)hw_model_console_double("math round", x);
}
