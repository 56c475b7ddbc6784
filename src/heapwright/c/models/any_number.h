/* Numbers read from text, for any type of characters: numbers.c and wide_numbers.c include it. CHARACTER is the type,
   and NAME(tol) the name of strtol or wcstol. */

static int digit_of(CHARACTER character)
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
static unsigned long long number_of(const CHARACTER *text, CHARACTER **end, int base, unsigned long long most,
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
        *end = (CHARACTER *)text + last;
    if (*beyond)
        errno = ERANGE;
    return *beyond ? limit : value;
}

long NAME(tol)(const CHARACTER *text, CHARACTER **end, int base)
{
    int negative;
    int beyond;
    unsigned long long value =
        number_of(text, end, base, LONG_MAX, (unsigned long long)LONG_MAX + 1, &negative, &beyond);
    return negative ? (long)(0 - value) : (long)value;
}

long long NAME(toll)(const CHARACTER *text, CHARACTER **end, int base)
{
    int negative;
    int beyond;
    unsigned long long value =
        number_of(text, end, base, LLONG_MAX, (unsigned long long)LLONG_MAX + 1, &negative, &beyond);
    return negative ? (long long)(0 - value) : (long long)value;
}

unsigned long NAME(toul)(const CHARACTER *text, CHARACTER **end, int base)
{
    int negative;
    int beyond;
    unsigned long value = (unsigned long)number_of(text, end, base, ULONG_MAX, ULONG_MAX, &negative, &beyond);
    return negative && !beyond ? 0 - value : value;
}

unsigned long long NAME(toull)(const CHARACTER *text, CHARACTER **end, int base)
{
    int negative;
    int beyond;
    unsigned long long value = number_of(text, end, base, ULLONG_MAX, ULLONG_MAX, &negative, &beyond);
    return negative && !beyond ? 0 - value : value;
}

/* The end of a decimal number; names and hexadecimal digits are not modelled. */
static void read_real(const CHARACTER *text, CHARACTER **end)
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
        *end = (CHARACTER *)text + last;
}

double NAME(tod)(const CHARACTER *text, CHARACTER **end)
{
    read_real(text, end);
    return hw_model_approximate_double();
}

float NAME(tof)(const CHARACTER *text, CHARACTER **end)
{
    read_real(text, end);
    return (float)hw_model_approximate_double();
}

long double NAME(told)(const CHARACTER *text, CHARACTER **end)
{
    read_real(text, end);
    return hw_model_approximate_double();
}
