/* Where scanf and its relatives read, in a program that is executed: a stream or a string. */
#include "intrinsics.h"

int hw_model_get(struct hw_model_reader *reader)
{
    int character;
    if (reader->descriptor >= 0)
        character = (int)hw_model_console("read", reader->descriptor);
    else
        character = reader->text[reader->read] == 0 ? -1 : (int)(unsigned char)reader->text[reader->read];
    if (character >= 0)
        reader->read++;
    return character;
}

void hw_model_unget(struct hw_model_reader *reader, int character)
{
    if (character < 0)
        return;
    reader->read--;
    if (reader->descriptor >= 0)
        hw_model_console("unread", reader->descriptor, character);
}

static int is_digit(int character, int hexadecimal)
{
    if (character >= '0' && character <= '9')
        return 1;
    return hexadecimal && ((character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F'));
}

/* The character is taken; the next one, or -1 where the width ends. */
static int taken(struct hw_model_reader *reader, int character, int *left)
{
    hw_model_console("character", character);
    (*left)--;
    return *left > 0 ? hw_model_get(reader) : -1;
}

int hw_model_scan_real(struct hw_model_reader *reader, int width)
{
    int left = width == 0 ? 0x7fffffff : width;
    int digits = 0;
    int points = 0;
    int hexadecimal = 0;
    int character = hw_model_first(reader);
    if (character < 0)
        return 0;
    hw_model_console("begin");
    if (character == '-' || character == '+')
        character = taken(reader, character, &left);
    if (character == '0') {
        digits = 1;
        character = taken(reader, character, &left);
        if (character == 'x' || character == 'X') {
            hexadecimal = 1;
            digits = 0;
            character = taken(reader, character, &left);
        }
    }
    while (is_digit(character, hexadecimal) || (character == '.' && !points)) {
        if (character == '.')
            points = 1;
        else
            digits = 1;
        character = taken(reader, character, &left);
    }
    if (digits && (hexadecimal ? character == 'p' || character == 'P' : character == 'e' || character == 'E')) {
        digits = 0;
        character = taken(reader, character, &left);
        if (character == '-' || character == '+')
            character = taken(reader, character, &left);
        while (character >= '0' && character <= '9') {
            digits = 1;
            character = taken(reader, character, &left);
        }
    }
    hw_model_unget(reader, character);
    hw_model_console("character", 0);
    reader->real = hw_model_console_double("double");
    return digits;
}
