/* Where sscanf reads: a string. */
#include "intrinsics.h"

int hw_model_get(struct hw_model_reader *reader)
{
    char character = reader->text[reader->read];
    if (character == 0)
        return -1;
    reader->read++;
    return (unsigned char)character;
}

void hw_model_unget(struct hw_model_reader *reader, int character)
{
    if (character >= 0)
        reader->read--;
}
