/* printf and its relatives, of a program that is executed: all text goes to the console, or into a buffer. */
#include "intrinsics.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

size_t hw_model_print_string(int descriptor, const char *text, size_t most, int width, int left)
{
    size_t length = hw_model_read_string(text, most);
    size_t wanted = hw_model_wider(length, width);
    int before = !left && width >= 0;
    size_t i;
    if (before)
        for (i = length; i < wanted; i++)
            hw_model_print(descriptor, " ");
    for (i = 0; i < length; i++)
        hw_model_console("write", descriptor, text[i]);
    if (!before)
        for (i = length; i < wanted; i++)
            hw_model_print(descriptor, " ");
    return wanted;
}

size_t hw_model_print_padded(int descriptor, int character, int width, int left)
{
    size_t wanted = hw_model_wider(1, width);
    int before = !left && width >= 0;
    size_t i;
    if (before)
        for (i = 1; i < wanted; i++)
            hw_model_print(descriptor, " ");
    hw_model_console("write", descriptor, character);
    if (!before)
        for (i = 1; i < wanted; i++)
            hw_model_print(descriptor, " ");
    return wanted;
}

/* In the C locale a wide character is one byte, if it can be converted. */
size_t hw_model_print_wide_character(int descriptor, int character)
{
    hw_model_console("write", descriptor, character);
    return 1;
}

size_t hw_model_print_wide_string(int descriptor, const wchar_t *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length] != 0) {
        hw_model_console("write", descriptor, text[length]);
        length++;
    }
    return length;
}

size_t hw_model_print_pointer(int descriptor, const void *pointer)
{
    return (size_t)(pointer == NULL ? hw_model_print(descriptor, "(nil)") : hw_model_print(descriptor, "0x55550000"));
}

struct sink {
    int descriptor; /* negative: a buffer */
    char *buffer;
    size_t limit;
    size_t count;
};

static void put(struct sink *sink, int character)
{
    if (sink->descriptor >= 0)
        hw_model_console("write", sink->descriptor, character);
    else if (sink->count < sink->limit)
        sink->buffer[sink->count] = (char)character;
    sink->count++;
}

static void put_string(struct sink *sink, const char *text, size_t most, int width, int left)
{
    size_t length = hw_model_read_string(text, most);
    size_t wanted = hw_model_wider(length, width);
    size_t i;
    if (!left)
        for (i = length; i < wanted; i++)
            put(sink, ' ');
    for (i = 0; i < length; i++)
        put(sink, text[i]);
    if (left)
        for (i = length; i < wanted; i++)
            put(sink, ' ');
}

static void name_number(int number)
{
    int unit = 1;
    while (number / unit >= 10)
        unit *= 10;
    for (; unit > 0; unit /= 10)
        hw_model_console("character", '0' + number / unit % 10);
}

static void put_answer(struct sink *sink, int length)
{
    int i;
    for (i = 0; i < length; i++)
        put(sink, (int)hw_model_console("next"));
}

static void put_number(struct sink *sink, int letter, int is_real, long long number, double real)
{
    hw_model_console("character", letter);
    hw_model_console("character", 0);
    put_answer(sink, (int)(is_real ? hw_model_console("format", real) : hw_model_console("format", number)));
}

static void put_formatted(struct sink *sink, const char *format, va_list arguments)
{
    size_t i = 0;
    while (format[i] != 0) {
        int left = 0, width = 0, precision = -1, longs = 0, longer = 0;
        if (format[i] != '%') {
            put(sink, format[i]);
            i++;
            continue;
        }
        i++;
        hw_model_console("begin");
        hw_model_console("character", '%');
        while (format[i] == '-' || format[i] == '+' || format[i] == ' ' || format[i] == '#' || format[i] == '0') {
            if (format[i] == '-')
                left = 1;
            hw_model_console("character", format[i]);
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
        if (width < 0) {
            left = 1;
            width = -width;
            hw_model_console("character", '-');
        }
        if (width > 0)
            name_number(width);
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
            if (precision >= 0) {
                hw_model_console("character", '.');
                name_number(precision);
            }
        }
        while (format[i] == 'l' || format[i] == 'h' || format[i] == 'z' || format[i] == 'j' || format[i] == 't' ||
               format[i] == 'L') {
            if (format[i] == 'h')
                longs--;
            else if (format[i] == 'L')
                longer = 1;
            else
                longs++;
            i++;
        }
        switch (format[i]) {
        case '%':
            put(sink, '%');
            break;
        case 'c': {
            char character[1];
            character[0] = (char)va_arg(arguments, int);
            if (character[0] == 0)
                put(sink, 0);
            else
                put_string(sink, character, 1, width, left);
            break;
        }
        case 's':
            if (longs > 0) {
                const wchar_t *wide = va_arg(arguments, const wchar_t *);
                size_t length = 0;
                while (length < hw_model_limit(precision) && wide[length] != 0) {
                    put(sink, (int)wide[length]);
                    length++;
                }
            } else {
                put_string(sink, va_arg(arguments, const char *), hw_model_limit(precision), width, left);
            }
            break;
        case 'd':
        case 'i': {
            long long value = longs > 0 ? va_arg(arguments, long long) : va_arg(arguments, int);
            if (longs == -1)
                value = (short)value;
            if (longs < -1)
                value = (signed char)value;
            put_number(sink, 'd', 0, value, 0.0);
            break;
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o': {
            unsigned long long value =
                longs > 0 ? va_arg(arguments, unsigned long long) : va_arg(arguments, unsigned int);
            if (longs == -1)
                value = (unsigned short)value;
            if (longs < -1)
                value = (unsigned char)value;
            put_number(sink, format[i], 0, (long long)value, 0.0);
            break;
        }
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            if (longer)
                hw_model_unmodelled();
            put_number(sink, format[i], 1, 0, va_arg(arguments, double));
            break;
        case 'p': {
            const void *pointer = va_arg(arguments, const void *);
            put_string(sink, pointer == NULL ? "(nil)" : "0x55550000", (size_t)-1, width, left);
            break;
        }
        case 'n':
            if (longs > 0)
                *va_arg(arguments, long *) = (long)sink->count;
            else
                *va_arg(arguments, int *) = (int)sink->count;
            break;
        default:
            hw_model_unmodelled();
            return;
        }
        i++;
    }
}

static int to_stream(int descriptor, const char *format, va_list arguments)
{
    struct sink sink = {descriptor, NULL, 0, 0};
    put_formatted(&sink, format, arguments);
    return (int)sink.count;
}

static int to_buffer(char *buffer, size_t limit, const char *format, va_list arguments)
{
    struct sink sink = {-1, buffer, limit, 0};
    put_formatted(&sink, format, arguments);
    return (int)sink.count;
}

int vprintf(const char *format, va_list arguments)
{
    return to_stream(1, format, arguments);
}

int vfprintf(FILE *stream, const char *format, va_list arguments)
{
    hw_model_use_stream(stream);
    return to_stream(stream->open, format, arguments);
}

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments)
{
    size_t limit = size > 0 ? size - 1 : 0;
    int count = to_buffer(buffer, limit, format, arguments);
    if (size > 0)
        buffer[(size_t)count < limit ? (size_t)count : limit] = 0;
    return count;
}

int vsprintf(char *buffer, const char *format, va_list arguments)
{
    int count = to_buffer(buffer, (size_t)-1, format, arguments);
    buffer[count] = 0;
    return count;
}

int printf(const char *format, ...)
{
    int count;
    va_list arguments;
    va_start(arguments, format);
    count = to_stream(1, format, arguments);
    va_end(arguments);
    return count;
}

int fprintf(FILE *stream, const char *format, ...)
{
    int count;
    va_list arguments;
    va_start(arguments, format);
    hw_model_use_stream(stream);
    count = to_stream(stream->open, format, arguments);
    va_end(arguments);
    return count;
}

int dprintf(int descriptor, const char *format, ...)
{
    int count;
    va_list arguments;
    va_start(arguments, format);
    count = to_stream(descriptor, format, arguments);
    va_end(arguments);
    return count;
}

int sprintf(char *buffer, const char *format, ...)
{
    int count;
    va_list arguments;
    va_start(arguments, format);
    count = to_buffer(buffer, (size_t)-1, format, arguments);
    buffer[count] = 0;
    va_end(arguments);
    return count;
}

int snprintf(char *buffer, size_t size, const char *format, ...)
{
    size_t limit = size > 0 ? size - 1 : 0;
    int count;
    va_list arguments;
    va_start(arguments, format);
    count = to_buffer(buffer, limit, format, arguments);
    if (size > 0)
        buffer[(size_t)count < limit ? (size_t)count : limit] = 0;
    va_end(arguments);
    return count;
}
