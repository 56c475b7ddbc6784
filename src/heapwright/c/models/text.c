/* Tokens, and comparisons of text in the C locale. */
#include "intrinsics.h"
#include <string.h>
#include <strings.h>

static int lower(char character)
{
    return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : (int)(unsigned char)character;
}

int strcasecmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] != 0 && lower(left[i]) == lower(right[i]))
        i++;
    return SIGN(lower(left[i]) - lower(right[i]));
}

int strncasecmp(const char *left, const char *right, size_t size)
{
    size_t i = 0;
    while (i < size && left[i] != 0 && lower(left[i]) == lower(right[i]))
        i++;
    return i == size ? 0 : SIGN(lower(left[i]) - lower(right[i]));
}

int strcoll(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return SIGN((int)(unsigned char)left[i] - (int)(unsigned char)right[i]);
}

size_t strxfrm(char *target, const char *source, size_t size)
{
    size_t length = 0;
    while (source[length] != 0) {
        if (length < size)
            target[length] = source[length];
        length++;
    }
    if (length < size)
        target[length] = 0;
    return length;
}

static int is_in(char character, const char *set)
{
    size_t i;
    for (i = 0; set[i] != 0; i++)
        if (set[i] == character)
            return 1;
    return 0;
}

char *strtok_r(char *text, const char *separators, char **rest)
{
    char *token;
    char *place = text == NULL ? *rest : text;
    if (place == NULL)
        return NULL;
    while (*place != 0 && is_in(*place, separators))
        place++;
    if (*place == 0) {
        *rest = place;
        return NULL;
    }
    token = place;
    while (*place != 0 && !is_in(*place, separators))
        place++;
    if (*place != 0) {
        *place = 0;
        place++;
    }
    *rest = place;
    return token;
}

char *strtok(char *text, const char *separators)
{
    static char *rest;
    return strtok_r(text, separators, &rest);
}

char *strsep(char **text, const char *separators)
{
    char *token = *text;
    char *place = token;
    if (token == NULL)
        return NULL;
    while (*place != 0 && !is_in(*place, separators))
        place++;
    if (*place == 0) {
        *text = NULL;
        return token;
    }
    *place = 0;
    *text = place + 1;
    return token;
}

int ffs(int value)
{
    int place;
    for (place = 0; place < 32; place++)
        if ((unsigned int)value >> place & 1u)
            return place + 1;
    return 0;
}

static int lowest_bit(unsigned long long value, int bits)
{
    int place;
    for (place = 0; place < bits; place++)
        if (value >> place & 1u)
            return place + 1;
    return 0;
}

int ffsl(long value)
{
    return lowest_bit((unsigned long long)value, 8 * (int)sizeof(long));
}

int ffsll(long long value)
{
    return lowest_bit((unsigned long long)value, 64);
}

char *strcasestr(const char *text, const char *part)
{
    size_t i;
    size_t j;
    for (i = 0;; i++) {
        for (j = 0; part[j] != 0 && lower(text[i + j]) == lower(part[j]); j++)
            ;
        if (part[j] == 0)
            return (char *)text + i;
        if (text[i] == 0)
            return NULL;
    }
}
