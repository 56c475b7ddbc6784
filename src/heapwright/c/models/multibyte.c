/* Characters of several bytes. ASCII is exact; the locale decides on what is beyond, up to 6 bytes of a character. */
#include "intrinsics.h"
#include <errno.h>
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

/* --- with a state, in which a part of a character may wait for its rest --- */

static mbstate_t inner;

static mbstate_t *given(mbstate_t *state)
{
    return state == NULL ? &inner : state;
}

/* As `width_of`, or -2 if the text ends in a character. */
static int next_width(const char *text, size_t size, mbstate_t *state)
{
    int width;
    int i;
    if (size == 0)
        return -2;
    if (state->state == 0 && (unsigned char)text[0] < 128)
        return text[0] != 0;
    width = hw_model_input_between(-2, MOST);
    hw_model_assume(width != 0);
    hw_model_assume(width < 0 || (size_t)width <= size);
    hw_model_assume(width != -2 || size < MOST);
    for (i = 1; i < (width == -2 ? (int)size : width); i++)
        if (text[i] == 0)
            return -1;
    state->state = width == -2;
    return width;
}

static wchar_t next_character(const char *text, int pending)
{
    return pending ? (wchar_t)hw_model_input_int() : character_of(text[0]);
}

int mbsinit(const mbstate_t *state)
{
    return TRUTH(state == NULL || state->state == 0);
}

size_t mbrtowc(wchar_t *target, const char *text, size_t size, mbstate_t *state)
{
    mbstate_t *used = given(state);
    int pending = used->state;
    int width;
    if (text == NULL) {
        used->state = 0;
        return pending && hw_model_input_between(0, 1) ? (size_t)-1 : 0;
    }
    width = next_width(text, size, used);
    if (width >= 0 && target != NULL)
        *target = next_character(text, pending);
    if (width == -1)
        errno = EILSEQ;
    return (size_t)width;
}

size_t mbrlen(const char *text, size_t size, mbstate_t *state)
{
    return mbrtowc(NULL, text, size, state);
}

size_t wcrtomb(char *target, wchar_t character, mbstate_t *state)
{
    int width;
    given(state)->state = 0;
    width = target == NULL ? 1 : put(target, character);
    if (width < 0)
        errno = EILSEQ;
    return (size_t)width;
}

size_t mbsrtowcs(wchar_t *target, const char **source, size_t count, mbstate_t *state)
{
    mbstate_t *used = given(state);
    const char *text = *source;
    size_t done = 0;
    while (target == NULL || done < count) {
        int pending = used->state;
        int width = next_width(text, MOST, used);
        if (width >= 0 && target != NULL)
            target[done] = next_character(text, pending);
        if (width <= 0) {
            if (target != NULL)
                *source = width == 0 ? NULL : text;
            if (width == 0)
                return done;
            errno = EILSEQ;
            return (size_t)-1;
        }
        text += width;
        done++;
    }
    *source = text;
    return done;
}

size_t wcsrtombs(char *target, const wchar_t **source, size_t count, mbstate_t *state)
{
    const wchar_t *text = *source;
    size_t done = 0;
    for (;;) {
        char bytes[MOST];
        int width = put(bytes, *text);
        int i;
        int full = target != NULL && width >= 0 && done + (size_t)width > count;
        if (target != NULL && (width < 0 || full))
            *source = text;
        if (width < 0) {
            errno = EILSEQ;
            return (size_t)-1;
        }
        if (full)
            return done;
        for (i = 0; target != NULL && i < width; i++)
            target[done + (size_t)i] = bytes[i];
        if (*text == 0)
            break;
        done += (size_t)width;
        text++;
    }
    given(state)->state = 0;
    if (target != NULL)
        *source = NULL;
    return done;
}
