/* Characters of several bytes. ASCII is exact; the locale decides on what is beyond, up to 6 bytes of a character. */
#include "intrinsics.h"
#include <stdlib.h>
#include <wchar.h>

#define MOST 6

/* The bytes of the character at the start of a text: 0 at its end, -1 if there is none. */
static int width_of(const char *text, size_t size)
{
    int width;
    int i;
    if (size == 0)
        return hw_model_input_between(-1, 0);
    if (text[0] == 0)
        return 0;
    if ((unsigned char)text[0] < 128)
        return 1;
    width = hw_model_input_between(-1, MOST);
    hw_model_assume(width != 0);
    for (i = 1; i < width; i++)
        if ((size_t)i >= size || text[i] == 0)
            return -1;
    return width;
}

static wchar_t character_of(char first)
{
    return (unsigned char)first < 128 ? (wchar_t)first : (wchar_t)hw_model_input_int();
}

/* Writes the bytes of a character, none without a target; their number, or -1. */
static int put(char *target, wchar_t character)
{
    int width;
    int i;
    if (character >= 0 && character < 128) {
        if (target != NULL)
            *target = (char)character;
        return 1;
    }
    width = hw_model_input_between(-1, MOST);
    hw_model_assume(width != 0);
    for (i = 0; i < width; i++)
        if (target != NULL)
            target[i] = hw_model_input_char();
    return width;
}

int mblen(const char *text, size_t size)
{
    return text == NULL ? hw_model_input_int() : width_of(text, size);
}

int mbtowc(wchar_t *target, const char *text, size_t size)
{
    int width;
    if (text == NULL)
        return hw_model_input_int();
    width = width_of(text, size);
    if (width >= 0 && target != NULL && (size > 0 || hw_model_input_between(0, 1)))
        *target = character_of(text[0]);
    return width;
}

int wctomb(char *target, wchar_t character)
{
    return target == NULL ? hw_model_input_int() : put(target, character);
}

size_t mbstowcs(wchar_t *target, const char *text, size_t count)
{
    size_t done = 0;
    size_t i = 0;
    while (target == NULL || done < count) {
        int width = width_of(text + i, MOST);
        if (width < 0)
            return (size_t)-1;
        if (target != NULL)
            target[done] = character_of(text[i]);
        if (width == 0)
            break;
        i += (size_t)width;
        done++;
    }
    return done;
}

size_t wcstombs(char *target, const wchar_t *text, size_t count)
{
    size_t done = 0;
    size_t i = 0;
    for (;;) {
        char bytes[MOST];
        int width = put(bytes, text[i]);
        int k;
        if (width < 0)
            return (size_t)-1;
        if (target != NULL && done + (size_t)width > count)
            return done;
        for (k = 0; target != NULL && k < width; k++)
            target[done + (size_t)k] = bytes[k];
        if (text[i] == 0)
            return done;
        done += (size_t)width;
        i++;
    }
}
