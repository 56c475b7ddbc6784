/* Strings, as plain loops over characters. A function here stands in for one that the program calls without defining. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

size_t strnlen(const char *text, size_t limit)
{
    size_t length = 0;
    while (length < limit && text[length] != 0)
        length++;
    return length;
}

char *strcpy(char *target, const char *source)
{
    size_t i = 0;
    while (source[i] != 0) {
        target[i] = source[i];
        i++;
    }
    target[i] = 0;
    return target;
}

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

char *strncpy(char *target, const char *source, size_t size)
{
    size_t i = 0;
    while (i < size && source[i] != 0) {
        target[i] = source[i];
        i++;
    }
    while (i < size) {
        target[i] = 0;
        i++;
    }
    return target;
}

char *strcat(char *target, const char *source)
{
    size_t end = 0;
    size_t i = 0;
    while (target[end] != 0)
        end++;
    while (source[i] != 0) {
        target[end + i] = source[i];
        i++;
    }
    target[end + i] = 0;
    return target;
}

char *strncat(char *target, const char *source, size_t size)
{
    size_t end = 0;
    size_t i = 0;
    while (target[end] != 0)
        end++;
    while (i < size && source[i] != 0) {
        target[end + i] = source[i];
        i++;
    }
    target[end + i] = 0;
    return target;
}

int strcmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return (int)(unsigned char)left[i] - (int)(unsigned char)right[i];
}

int strncmp(const char *left, const char *right, size_t size)
{
    size_t i = 0;
    while (i < size && left[i] != 0 && left[i] == right[i])
        i++;
    if (i == size)
        return 0;
    return (int)(unsigned char)left[i] - (int)(unsigned char)right[i];
}

char *strchr(const char *text, int character)
{
    size_t i = 0;
    while (text[i] != (char)character) {
        if (text[i] == 0)
            return NULL;
        i++;
    }
    return (char *)text + i;
}

char *strrchr(const char *text, int character)
{
    char *found = NULL;
    size_t i = 0;
    while (text[i] != 0) {
        if (text[i] == (char)character)
            found = (char *)text + i;
        i++;
    }
    if ((char)character == 0)
        found = (char *)text + i;
    return found;
}

char *strpbrk(const char *text, const char *accept)
{
    size_t i;
    size_t j;
    for (i = 0; text[i] != 0; i++)
        for (j = 0; accept[j] != 0; j++)
            if (text[i] == accept[j])
                return (char *)text + i;
    return NULL;
}

size_t strspn(const char *text, const char *accept)
{
    size_t i;
    size_t j;
    for (i = 0; text[i] != 0; i++) {
        for (j = 0; accept[j] != 0; j++)
            if (text[i] == accept[j])
                break;
        if (accept[j] == 0)
            break;
    }
    return i;
}

size_t strcspn(const char *text, const char *reject)
{
    size_t i;
    size_t j;
    for (i = 0; text[i] != 0; i++)
        for (j = 0; reject[j] != 0; j++)
            if (text[i] == reject[j])
                return i;
    return i;
}

char *strstr(const char *text, const char *part)
{
    size_t i = 0;
    size_t j;
    for (;;) {
        j = 0;
        while (part[j] != 0 && text[i + j] == part[j])
            j++;
        if (part[j] == 0)
            return (char *)text + i;
        if (text[i] == 0)
            return NULL;
        i++;
    }
}

char *strdup(const char *text)
{
    size_t length = 0;
    size_t i;
    char *copy;
    while (text[length] != 0)
        length++;
    copy = malloc((length + 1) * sizeof(char));
    if (copy == NULL)
        return NULL;
    for (i = 0; i <= length; i++)
        copy[i] = text[i];
    return copy;
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
