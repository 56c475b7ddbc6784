/* Numbers read from text, and division. */
#include "intrinsics.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#define CHARACTER char
#define NAME(rest) str##rest
#include "any_number.h"

intmax_t strtoimax(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

uintmax_t strtoumax(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}

double atof(const char *text)
{
    read_real(text, NULL);
    return hw_model_approximate_double();
}

div_t div(int numerator, int denominator)
{
    div_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

ldiv_t ldiv(long numerator, long denominator)
{
    ldiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

lldiv_t lldiv(long long numerator, long long denominator)
{
    lldiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

imaxdiv_t imaxdiv(intmax_t numerator, intmax_t denominator)
{
    imaxdiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

intmax_t imaxabs(intmax_t value)
{
    return value < 0 ? -value : value;
}

int rand_r(unsigned int *seed)
{
    unsigned int old = *seed;
    *seed = old * 1103515245u + (unsigned int)hw_model_approximate_int();
    return hw_model_approximate_between(0, RAND_MAX);
}
