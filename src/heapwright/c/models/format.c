/* What the models of printf and scanf are made of. Lengths are exact, digits are not computed. */
#include "intrinsics.h"

int hw_model_between(int low, int high)
{
    return hw_model_approximate_between(low, high);
}

/* A negative precision is as if there were none; a negative width means its absolute value. */
size_t hw_model_limit(int precision)
{
    return precision < 0 ? (size_t)-1 : (size_t)precision;
}

size_t hw_model_least(int precision)
{
    return precision < 0 ? 1 : (size_t)precision;
}

size_t hw_model_wider(size_t length, int width)
{
    size_t wanted = width < 0 ? -(size_t)width : (size_t)width;
    return length < wanted ? wanted : length;
}

size_t hw_model_read_string(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length] != 0)
        length++;
    return length;
}

void hw_model_read_format(const char *format)
{
    size_t i = 0;
    while (format[i] != 0) {
        if (format[i] == '%')
            hw_model_unmodelled();
        i++;
    }
}

size_t hw_model_signed_length(long long value, int base, size_t least)
{
    long long limit = value < 0 ? -9 : 9;
    size_t length = 1;
    if (value < 0) {
        while (length < 19 && value < limit) {
            limit = limit * 10 - 9;
            length++;
        }
        return (length < least ? least : length) + 1;
    }
    if (value == 0)
        return least;
    while (length < 19 && value > limit) {
        limit = limit * 10 + 9;
        length++;
    }
    return length < least ? least : length;
}

size_t hw_model_unsigned_length(unsigned long long value, int base, size_t least)
{
    unsigned long long limit = (unsigned long long)base - 1;
    size_t most = base == 10 ? 20 : base == 8 ? 22 : 16;
    size_t length = 1;
    if (value == 0)
        return least;
    while (length < most && value > limit) {
        limit = limit * (unsigned long long)base + (unsigned long long)base - 1;
        length++;
    }
    return length < least ? least : length;
}

size_t hw_model_put_any(char *buffer, size_t limit, size_t n, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++)
        if (n + i < limit)
            buffer[n + i] = (char)hw_model_approximate_between(' ', 'x');
    return n + length;
}

static size_t pad(char *buffer, size_t limit, size_t n, size_t length, int width)
{
    size_t wanted = hw_model_wider(length, width);
    size_t i;
    for (i = length; i < wanted; i++) {
        if (n < limit)
            buffer[n] = ' ';
        n++;
    }
    return n;
}

size_t hw_model_put_character(char *buffer, size_t limit, size_t n, char character, int width, int left)
{
    int before = !left && width >= 0;
    if (before)
        n = pad(buffer, limit, n, 1, width);
    if (n < limit)
        buffer[n] = character;
    n++;
    return before ? n : pad(buffer, limit, n, 1, width);
}

size_t hw_model_put_string(char *buffer, size_t limit, size_t n, const char *text, size_t most, int width, int left)
{
    int before = !left && width >= 0;
    size_t length = hw_model_read_string(text, most);
    size_t i;
    if (before)
        n = pad(buffer, limit, n, length, width);
    for (i = 0; i < length; i++) {
        if (n < limit)
            buffer[n] = text[i];
        n++;
    }
    return before ? n : pad(buffer, limit, n, length, width);
}

/* A word: characters that are neither 0 nor space. */
static char character_of_a_word(void)
{
    char character = hw_model_input_char();
    hw_model_assume(character != 0);
    hw_model_assume(character != ' ');
    hw_model_assume(character < '\t' || character > '\r');
    return character;
}

void hw_model_input_string(char *target, size_t width, size_t longest)
{
    size_t i = 0;
    if (width < longest) {
        hw_model_reserve(target, width + 1);
        do {
            hw_model_store(target, i, character_of_a_word());
            i++;
        } while (i < width && hw_model_input_between(0, 1));
        hw_model_store(target, i, 0);
        return;
    }
    do {
        target[i] = character_of_a_word();
        i++;
    } while (i < longest && hw_model_input_between(0, 1));
    target[i] = 0;
}

/* Whether a character is in a set of scanf. */
int hw_model_is_in_set(const char *set, int character)
{
    size_t i = 0;
    int negated = set[0] == '^';
    if (negated)
        i++;
    while (set[i] != 0) {
        if (set[i + 1] == '-' && set[i + 2] != 0) {
            if (set[i] <= character && character <= set[i + 2])
                return !negated;
            i += 3;
        } else {
            if (set[i] == character)
                return !negated;
            i++;
        }
    }
    return negated;
}

void hw_model_input_set(char *target, size_t width, size_t longest, const char *set)
{
    size_t i = 0;
    do {
        char character = hw_model_input_char();
        hw_model_assume(hw_model_is_in_set(set, character));
        target[i] = character;
        i++;
    } while (i < width && i < longest && hw_model_input_between(0, 1));
    target[i] = 0;
}

void hw_model_approximate_string(char *target, size_t width, size_t longest)
{
    size_t i = 0;
    do {
        target[i] = (char)hw_model_approximate_between(1, 127);
        i++;
    } while (i < width && i < longest && hw_model_approximate_between(0, 1));
    target[i] = 0;
}

void hw_model_input_characters(char *target, size_t width)
{
    size_t i;
    for (i = 0; i < width; i++)
        target[i] = hw_model_input_char();
}

void hw_model_approximate_characters(char *target, size_t width)
{
    size_t i;
    for (i = 0; i < width; i++)
        target[i] = hw_model_approximate_char();
}

/* The text that is read: characters of a string, bytes of an object. */
void hw_model_record_string(const char *text)
{
    size_t i;
    for (i = 0; text[i] != 0; i++)
        hw_model_text("%c", (int)text[i]);
}

void hw_model_record_bytes(const void *base, size_t count)
{
    const unsigned char *bytes = base;
    size_t i;
    for (i = 0; i < count; i++)
        hw_model_text("%c", (int)bytes[i]);
}
