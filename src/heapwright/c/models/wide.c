/* Wide strings, as plain loops over characters. */
#include "intrinsics.h"
#include <stdlib.h>
#include <wchar.h>

#define CHARACTER wchar_t
#define PASSED wchar_t
#define NAME(rest) wcs##rest
#include "any_string.h"

int wcscmp(const wchar_t *left, const wchar_t *right)
{
    size_t i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return SIGN(left[i] < right[i] ? -1 : left[i] > right[i]);
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t size)
{
    size_t i = 0;
    while (i < size && left[i] != 0 && left[i] == right[i])
        i++;
    if (i == size)
        return 0;
    return SIGN(left[i] < right[i] ? -1 : left[i] > right[i]);
}

wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t count)
{
    memcpy(target, source, count * sizeof(wchar_t));
    return target;
}

wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count)
{
    memmove(target, source, count * sizeof(wchar_t));
    return target;
}

wchar_t *wmemset(wchar_t *target, wchar_t character, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        target[i] = character;
    return target;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count)
{
    size_t i;
    if (count > 0) {
        wchar_t last = left[count - 1];
        last = right[count - 1];
        (void)last;
    }
    for (i = 0; i < count; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

wchar_t *wmemchr(const wchar_t *block, wchar_t character, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        if (block[i] == character)
            return (wchar_t *)block + i;
    return NULL;
}

void hw_model_read_wide(const wchar_t *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length] != 0)
        length++;
}

int wcscoll(const wchar_t *left, const wchar_t *right)
{
    size_t i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return SIGN(left[i] < right[i] ? -1 : left[i] > right[i]);
}

size_t wcsxfrm(wchar_t *target, const wchar_t *source, size_t size)
{
    size_t length = wcslen(source);
    size_t i;
    for (i = 0; i < size && i <= length; i++)
        target[i] = source[i];
    return length;
}

static int is_in(wchar_t character, const wchar_t *set)
{
    size_t i;
    for (i = 0; set[i] != 0; i++)
        if (set[i] == character)
            return 1;
    return 0;
}

wchar_t *wcstok(wchar_t *text, const wchar_t *separators, wchar_t **rest)
{
    wchar_t *token;
    wchar_t *place = text == NULL ? *rest : text;
    if (place == NULL)
        return NULL;
    while (*place != 0 && is_in(*place, separators))
        place++;
    if (*place == 0) {
        *rest = NULL;
        return NULL;
    }
    token = place;
    while (*place != 0 && !is_in(*place, separators))
        place++;
    if (*place != 0) {
        *place = 0;
        *rest = place + 1;
    } else {
        *rest = NULL;
    }
    return token;
}

wint_t fgetwc(FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_unsigned_int();
}

wint_t getwc(FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_unsigned_int();
}

wint_t getwchar(void)
{
    return hw_model_input_unsigned_int();
}

wint_t ungetwc(wint_t character, FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_between(0, 1) ? WEOF : character;
}

wint_t fputwc(wchar_t character, FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_between(0, 1) ? WEOF : (wint_t)character;
}

wint_t putwc(wchar_t character, FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_between(0, 1) ? WEOF : (wint_t)character;
}

wint_t putwchar(wchar_t character)
{
    return hw_model_input_between(0, 1) ? WEOF : (wint_t)character;
}

int fputws(const wchar_t *text, FILE *stream)
{
    wcslen(text);
    hw_model_use_stream(stream);
    return hw_model_input_between(-1, 2147483647);
}

wchar_t *fgetws(wchar_t *buffer, int size, FILE *stream)
{
    int i = 0;
    hw_model_use_stream(stream);
    if (size <= 0)
        return NULL;
    if (size > 1 && hw_model_input_between(0, 1))
        return NULL;
    while (i < size - 1) {
        wchar_t character = (wchar_t)hw_model_input_int();
        int last = i == size - 2 || !hw_model_input_between(0, 1);
        if (!last)
            hw_model_assume(character != L'\n');
        buffer[i] = character;
        i++;
        if (last)
            break;
    }
    buffer[i] = 0;
    return buffer;
}

wint_t btowc(int character)
{
    if (character >= 0 && character < 128)
        return (wint_t)character;
    return character == -1 ? WEOF : (wint_t)hw_model_input_int();
}

int wctob(wint_t character)
{
    return character < 128 ? (int)character : hw_model_input_between(-1, 255);
}

int fwide(FILE *stream, int mode)
{
    hw_model_use_stream(stream);
    return hw_model_input_int();
}
