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

int hw_model_scan_real(struct hw_model_reader *reader, int width)
{
    int left = width == 0 ? 0x7fffffff : width;
    int digits = 0;
    int points = 0;
    int character = hw_model_first(reader);
    if (character < 0)
        return 0;
    hw_model_console("begin");
    if (character == '-' || character == '+') {
        hw_model_console("character", character);
        left--;
        character = left > 0 ? hw_model_get(reader) : -1;
    }
    while (left > 0 && ((character >= '0' && character <= '9') || (character == '.' && !points))) {
        if (character == '.')
            points = 1;
        else
            digits = 1;
        hw_model_console("character", character);
        left--;
        character = left > 0 ? hw_model_get(reader) : -1;
    }
    if (digits && left > 0 && (character == 'e' || character == 'E')) {
        hw_model_console("character", character);
        left--;
        character = left > 0 ? hw_model_get(reader) : -1;
        if (left > 0 && (character == '-' || character == '+')) {
            hw_model_console("character", character);
            left--;
            character = left > 0 ? hw_model_get(reader) : -1;
        }
        while (left > 0 && character >= '0' && character <= '9') {
            hw_model_console("character", character);
            left--;
            character = left > 0 ? hw_model_get(reader) : -1;
        }
    }
    hw_model_unget(reader, character);
    hw_model_console("character", 0);
    reader->real = hw_model_console_double("double");
    return digits;
}
