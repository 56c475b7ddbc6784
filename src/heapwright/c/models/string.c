/* Strings, as plain loops over characters. A function here stands in for one that the program calls without defining. */
#include "intrinsics.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CHARACTER char
#define PASSED int
#define NAME(rest) str##rest
#include "any_string.h"

char *stpcpy(char *target, const char *source)
{
    size_t i = 0;
    while (source[i] != 0) {
        target[i] = source[i];
        i++;
    }
    target[i] = 0;
    return target + i;
}

int strcmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return SIGN((int)(unsigned char)left[i] - (int)(unsigned char)right[i]);
}

int strncmp(const char *left, const char *right, size_t size)
{
    size_t i = 0;
    while (i < size && left[i] != 0 && left[i] == right[i])
        i++;
    if (i == size)
        return 0;
    return SIGN((int)(unsigned char)left[i] - (int)(unsigned char)right[i]);
}

char *strndup(const char *text, size_t size)
{
    size_t length = 0;
    size_t i;
    char *copy;
    while (length < size && text[length] != 0)
        length++;
    copy = malloc((length + 1) * sizeof(char));
    if (copy == NULL)
        return NULL;
    for (i = 0; i < length; i++)
        copy[i] = text[i];
    copy[length] = 0;
    return copy;
}

char *stpncpy(char *target, const char *source, size_t size)
{
    size_t i = 0;
    size_t end;
    while (i < size && source[i] != 0) {
        target[i] = source[i];
        i++;
    }
    end = i;
    while (i < size) {
        target[i] = 0;
        i++;
    }
    return target + end;
}

size_t strlcpy(char *target, const char *source, size_t size)
{
    size_t length = strlen(source);
    size_t i;
    for (i = 0; i + 1 < size && i < length; i++)
        target[i] = source[i];
    if (size > 0)
        target[i] = 0;
    return length;
}

size_t strlcat(char *target, const char *source, size_t size)
{
    size_t length = strlen(source);
    size_t end = 0;
    size_t i;
    while (end < size && target[end] != 0)
        end++;
    if (end == size)
        return size + length;
    for (i = 0; end + i + 1 < size && i < length; i++)
        target[end + i] = source[i];
    target[end + i] = 0;
    return end + length;
}

char *strchrnul(const char *text, int character)
{
    size_t i = 0;
    while (text[i] != 0 && text[i] != (char)character)
        i++;
    return (char *)text + i;
}

char *index(const char *text, int character)
{
    return strchr(text, character);
}

char *rindex(const char *text, int character)
{
    return strrchr(text, character);
}
