/* printf with a list of variable arguments: the format is read as the program runs. */
#include "intrinsics.h"
#include <stdarg.h>
#include <stdlib.h>

size_t hw_model_limit(int precision);
size_t hw_model_least(int precision);
size_t hw_model_wider(size_t length, int width);
size_t hw_model_read_string(const char *text, size_t most);
size_t hw_model_signed_length(long long value, int base, size_t least);
size_t hw_model_unsigned_length(unsigned long long value, int base, size_t least);
size_t hw_model_put_any(char *buffer, size_t limit, size_t n, size_t length);
size_t hw_model_put_character(char *buffer, size_t limit, size_t n, char character, int width, int left);
size_t hw_model_put_string(char *buffer, size_t limit, size_t n, const char *text, size_t most, int width, int left);
void hw_model_use_stream(FILE *stream);

/* Without a buffer the limit is 0. */
static size_t put(char *buffer, size_t limit, const char *format, va_list arguments)
{
    size_t n = 0;
    size_t i = 0;
    while (format[i] != 0) {
        int left = 0, width = 0, precision = -1, longs = 0, extra = 0;
        if (format[i] != '%') {
            if (n < limit)
                buffer[n] = format[i];
            n++;
            i++;
            continue;
        }
        i++;
        while (format[i] == '-' || format[i] == '+' || format[i] == ' ' || format[i] == '#' || format[i] == '0') {
            if (format[i] == '-')
                left = 1;
            if (format[i] == '#')
                extra = 2;
            if ((format[i] == '+' || format[i] == ' ') && extra == 0)
                extra = 1;
            i++;
        }
        if (format[i] == '*') {
            width = va_arg(arguments, int);
            i++;
        }
        while (format[i] >= '0' && format[i] <= '9') {
            width = width * 10 + (format[i] - '0');
            i++;
        }
        if (format[i] == '.') {
            precision = 0;
            i++;
            if (format[i] == '*') {
                precision = va_arg(arguments, int);
                i++;
            }
            while (format[i] >= '0' && format[i] <= '9') {
                precision = precision * 10 + (format[i] - '0');
                i++;
            }
        }
        while (format[i] == 'l' || format[i] == 'h' || format[i] == 'z' || format[i] == 'j' || format[i] == 't') {
            if (format[i] == 'h')
                longs--;
            else
                longs++;
            i++;
        }
        switch (format[i]) {
        case '%':
            n = hw_model_put_character(buffer, limit, n, '%', 0, 0);
            break;
        case 'c':
            n = hw_model_put_character(buffer, limit, n, (char)va_arg(arguments, int), width, left);
            break;
        case 's':
            if (longs > 0) {
                hw_model_unmodelled();
                return n;
            }
            n = hw_model_put_string(buffer, limit, n, va_arg(arguments, const char *), hw_model_limit(precision), width, left);
            break;
        case 'd':
        case 'i': {
            long long value = longs > 0 ? va_arg(arguments, long long) : va_arg(arguments, int);
            size_t length;
            if (longs == -1)
                value = (short)value;
            if (longs < -1)
                value = (signed char)value;
            length = hw_model_signed_length(value, 10, hw_model_least(precision));
            if (extra > 0)
                length += (size_t)hw_model_approximate_between(0, 2);
            n = hw_model_put_any(buffer, limit, n, hw_model_wider(length, width));
            break;
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o': {
            unsigned long long value = longs > 0 ? va_arg(arguments, unsigned long long) : va_arg(arguments, unsigned int);
            int base = format[i] == 'u' ? 10 : format[i] == 'o' ? 8 : 16;
            size_t length;
            if (longs == -1)
                value = (unsigned short)value;
            if (longs < -1)
                value = (unsigned char)value;
            length = hw_model_unsigned_length(value, base, hw_model_least(precision));
            if (extra > 0)
                length += (size_t)hw_model_approximate_between(0, 2);
            n = hw_model_put_any(buffer, limit, n, hw_model_wider(length, width));
            break;
        }
        case 'p':
            (void)va_arg(arguments, const void *);
            n = hw_model_put_any(buffer, limit, n, hw_model_wider(hw_model_approximate_between(3, 18), width));
            break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
            (void)va_arg(arguments, double);
            n = hw_model_put_any(buffer, limit, n, hw_model_wider((size_t)hw_model_approximate_between(1, 330) + (size_t)(precision < 0 ? 0 : precision), width));
            break;
        case 'n':
            if (longs > 0)
                *va_arg(arguments, long *) = (long)n;
            else
                *va_arg(arguments, int *) = (int)n;
            break;
        default:
            hw_model_unmodelled();
            return n;
        }
        i++;
    }
    return n;
}

int vprintf(const char *format, va_list arguments)
{
    size_t n = put(NULL, 0, format, arguments);
    return hw_model_input_between(0, 1) ? -1 : (int)n;
}

int vfprintf(FILE *stream, const char *format, va_list arguments)
{
    size_t n;
    hw_model_use_stream(stream);
    n = put(NULL, 0, format, arguments);
    return hw_model_input_between(0, 1) ? -1 : (int)n;
}

int vsprintf(char *buffer, const char *format, va_list arguments)
{
    size_t n = put(buffer, (size_t)-1, format, arguments);
    buffer[n] = 0;
    return (int)n;
}

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments)
{
    size_t limit = size > 0 ? size - 1 : 0;
    size_t n = put(buffer, limit, format, arguments);
    if (size > 0)
        buffer[n < limit ? n : limit] = 0;
    return (int)n;
}

int vdprintf(int descriptor, const char *format, va_list arguments)
{
    size_t n = put(NULL, 0, format, arguments);
    return hw_model_input_between(0, 1) ? -1 : (int)n;
}

int vasprintf(char **result, const char *format, va_list arguments)
{
    va_list again;
    size_t length;
    size_t n;
    char *buffer;
    va_copy(again, arguments);
    length = put(NULL, 0, format, arguments);
    buffer = malloc((length + 1) * sizeof(char));
    if (buffer == NULL) {
        va_end(again);
        return -1;
    }
    n = put(buffer, length, format, again);
    va_end(again);
    buffer[n < length ? n : length] = 0;
    *result = buffer;
    return (int)length;
}
