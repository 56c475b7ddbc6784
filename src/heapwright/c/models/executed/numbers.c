/* Floating-point numbers read from text, of a program that is executed. */
#include "intrinsics.h"
#include <stdlib.h>

static int is_digit(char character, int hexadecimal)
{
    if (character >= '0' && character <= '9')
        return 1;
    return hexadecimal && ((character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F'));
}

/* The position behind a number, 0 if there is none. */
static size_t behind(const char *text, size_t start, int hexadecimal)
{
    size_t i = start;
    size_t last = 0;
    int digits = 0;
    while (is_digit(text[i], hexadecimal)) {
        i++;
        digits = 1;
    }
    if (text[i] == '.') {
        i++;
        while (is_digit(text[i], hexadecimal)) {
            i++;
            digits = 1;
        }
    }
    if (!digits)
        return 0;
    last = i;
    if (hexadecimal ? text[i] == 'p' || text[i] == 'P' : text[i] == 'e' || text[i] == 'E') {
        i++;
        if (text[i] == '-' || text[i] == '+')
            i++;
        while (text[i] >= '0' && text[i] <= '9') {
            i++;
            last = i;
        }
    }
    return last;
}

static int is_word(const char *text, const char *word)
{
    size_t i;
    for (i = 0; word[i] != 0; i++)
        if (text[i] != word[i] && text[i] != word[i] - ('a' - 'A'))
            return 0;
    return 1;
}

double strtod(const char *text, char **end)
{
    size_t i = 0;
    size_t start;
    size_t last;
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    start = i;
    if (text[i] == '-' || text[i] == '+')
        i++;
    if (is_word(text + i, "infinity"))
        last = i + 8;
    else if (is_word(text + i, "inf") || is_word(text + i, "nan"))
        last = i + 3;
    else
        last = behind(text, i, 0);
    if (text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X') && behind(text, i + 2, 1) > 0)
        last = behind(text, i + 2, 1);
    if (end != NULL)
        *end = (char *)text + last;
    if (last == 0)
        return 0.0;
    hw_model_console("begin");
    for (i = start; i < last; i++)
        hw_model_console("character", text[i]);
    hw_model_console("character", 0);
    return hw_model_console_double("double");
}

float strtof(const char *text, char **end)
{
    return (float)strtod(text, end);
}

double atof(const char *text)
{
    return strtod(text, NULL);
}
