/* Numbers read from text, and division. */
#include "intrinsics.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

static int digit_of(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 10;
    if (character >= 'A' && character <= 'Z')
        return character - 'A' + 10;
    return 36;
}

/* The number, as far as it is at most `most`; the sign and whether it is greater are stored. `end` is null, or gets
   the position behind the last digit. */
static unsigned long long number_of(const char *text, char **end, int base, unsigned long long most,
                                    unsigned long long least, int *negative, int *beyond)
{
    size_t i = 0;
    size_t last = 0;
    unsigned long long value = 0;
    unsigned long long limit;
    *negative = 0;
    *beyond = 0;
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-' || text[i] == '+') {
        *negative = text[i] == '-';
        i++;
    }
    if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X') &&
        digit_of(text[i + 2]) < 16) {
        i += 2;
        base = 16;
    } else if (base == 0) {
        base = text[i] == '0' ? 8 : 10;
    }
    limit = *negative ? least : most;
    while (digit_of(text[i]) < base) {
        unsigned long long digit = (unsigned long long)digit_of(text[i]);
        if (*beyond || value > (limit - digit) / (unsigned long long)base)
            *beyond = 1;
        else
            value = value * (unsigned long long)base + digit;
        i++;
        last = i;
    }
    if (end != NULL)
        *end = (char *)text + last;
    if (*beyond)
        errno = ERANGE;
    return *beyond ? limit : value;
}

long strtol(const char *text, char **end, int base)
{
    int negative;
    int beyond;
    unsigned long long value =
        number_of(text, end, base, LONG_MAX, (unsigned long long)LONG_MAX + 1, &negative, &beyond);
    return negative ? (long)(0 - value) : (long)value;
}

long long strtoll(const char *text, char **end, int base)
{
    int negative;
    int beyond;
    unsigned long long value =
        number_of(text, end, base, LLONG_MAX, (unsigned long long)LLONG_MAX + 1, &negative, &beyond);
    return negative ? (long long)(0 - value) : (long long)value;
}

intmax_t strtoimax(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

unsigned long strtoul(const char *text, char **end, int base)
{
    int negative;
    int beyond;
    unsigned long value = (unsigned long)number_of(text, end, base, ULONG_MAX, ULONG_MAX, &negative, &beyond);
    return negative && !beyond ? 0 - value : value;
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    int negative;
    int beyond;
    unsigned long long value = number_of(text, end, base, ULLONG_MAX, ULLONG_MAX, &negative, &beyond);
    return negative && !beyond ? 0 - value : value;
}

uintmax_t strtoumax(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}

/* The end of a decimal number; names and hexadecimal digits are not modelled. */
static void read_real(const char *text, char **end)
{
    size_t i = 0;
    size_t last = 0;
    int digits = 0;
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-' || text[i] == '+')
        i++;
    if (text[i] == 'i' || text[i] == 'I' || text[i] == 'n' || text[i] == 'N' ||
        (text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')))
        hw_model_unmodelled();
    while (text[i] >= '0' && text[i] <= '9') {
        i++;
        digits = 1;
        last = i;
    }
    if (text[i] == '.') {
        i++;
        while (text[i] >= '0' && text[i] <= '9') {
            i++;
            digits = 1;
        }
        if (digits)
            last = i;
    }
    if (digits && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        if (text[i] == '-' || text[i] == '+')
            i++;
        while (text[i] >= '0' && text[i] <= '9') {
            i++;
            last = i;
        }
    }
    if (end != NULL)
        *end = (char *)text + last;
}

double strtod(const char *text, char **end)
{
    read_real(text, end);
    return hw_model_approximate_double();
}

float strtof(const char *text, char **end)
{
    read_real(text, end);
    return (float)hw_model_approximate_double();
}

long double strtold(const char *text, char **end)
{
    read_real(text, end);
    return hw_model_approximate_double();
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
