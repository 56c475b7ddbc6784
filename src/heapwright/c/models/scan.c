/* What scanf and its relatives do with text that is read byte by byte. */
#include "intrinsics.h"
#include <stdlib.h>

static int is_space(int character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

void hw_model_scan_space(struct hw_model_reader *reader)
{
    int character = hw_model_get(reader);
    while (is_space(character))
        character = hw_model_get(reader);
    hw_model_unget(reader, character);
}

/* The first character that is no space; notes the end of the input. */
int hw_model_first(struct hw_model_reader *reader)
{
    int character = hw_model_get(reader);
    while (is_space(character))
        character = hw_model_get(reader);
    if (character < 0)
        reader->ended = 1;
    return character;
}

int hw_model_scan_match(struct hw_model_reader *reader, int character)
{
    int found = hw_model_get(reader);
    if (found < 0)
        reader->ended = 1;
    if (found == character)
        return 1;
    hw_model_unget(reader, found);
    return 0;
}

static int digit_of(int character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 10;
    if (character >= 'A' && character <= 'Z')
        return character - 'A' + 10;
    return 99;
}

int hw_model_scan_integer(struct hw_model_reader *reader, int width, int base)
{
    int left = width == 0 ? 0x7fffffff : width;
    int negative = 0;
    int digits = 0;
    unsigned long long value = 0;
    int character = hw_model_first(reader);
    if (character < 0)
        return 0;
    if (character == '-' || character == '+') {
        negative = character == '-';
        left--;
        character = left > 0 ? hw_model_get(reader) : -1;
    }
    if ((base == 0 || base == 16) && character == '0' && left > 0) {
        digits = 1;
        left--;
        character = left > 0 ? hw_model_get(reader) : -1;
        if (left > 0 && (character == 'x' || character == 'X')) {
            base = 16;
            digits = 0;
            left--;
            character = left > 0 ? hw_model_get(reader) : -1;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    while (left > 0 && digit_of(character) < base) {
        value = value * (unsigned long long)base + (unsigned long long)digit_of(character);
        digits = 1;
        left--;
        character = left > 0 ? hw_model_get(reader) : -1;
    }
    hw_model_unget(reader, character);
    reader->integer = (long long)(negative ? 0 - value : value);
    return digits;
}

int hw_model_scan_characters(struct hw_model_reader *reader, char *target, int width)
{
    int i;
    for (i = 0; i < width; i++) {
        int character = hw_model_get(reader);
        if (character < 0) {
            reader->ended = i == 0;
            return 0;
        }
        if (target != NULL)
            target[i] = (char)character;
    }
    return 1;
}

int hw_model_scan_word(struct hw_model_reader *reader, char *target, int width)
{
    int i = 0;
    int character = hw_model_first(reader);
    if (character < 0)
        return 0;
    while (character >= 0 && !is_space(character) && (width == 0 || i < width)) {
        if (target != NULL)
            target[i] = (char)character;
        i++;
        character = width == 0 || i < width ? hw_model_get(reader) : -1;
    }
    hw_model_unget(reader, character);
    if (target != NULL)
        target[i] = 0;
    return 1;
}

int hw_model_scan_set(struct hw_model_reader *reader, char *target, int width, const char *set)
{
    int i = 0;
    int character = hw_model_get(reader);
    if (character < 0) {
        reader->ended = 1;
        return 0;
    }
    while (character >= 0 && hw_model_is_in_set(set, (char)character) && (width == 0 || i < width)) {
        if (target != NULL)
            target[i] = (char)character;
        i++;
        character = width == 0 || i < width ? hw_model_get(reader) : -1;
    }
    hw_model_unget(reader, character);
    if (i > 0 && target != NULL)
        target[i] = 0;
    return i > 0;
}
