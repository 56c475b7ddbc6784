/* Classes of characters, in the C locale. A class is 0 or any other number. */
#include "intrinsics.h"

int isdigit(int character)
{
    return TRUTH(character >= '0' && character <= '9');
}

int isupper(int character)
{
    return TRUTH(character >= 'A' && character <= 'Z');
}

int islower(int character)
{
    return TRUTH(character >= 'a' && character <= 'z');
}

int isalpha(int character)
{
    return TRUTH((character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z'));
}

int isalnum(int character)
{
    return TRUTH((character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z') ||
           (character >= 'a' && character <= 'z'));
}

int isxdigit(int character)
{
    return TRUTH((character >= '0' && character <= '9') || (character >= 'A' && character <= 'F') ||
           (character >= 'a' && character <= 'f'));
}

int isspace(int character)
{
    return TRUTH(character == ' ' || (character >= '\t' && character <= '\r'));
}

int isblank(int character)
{
    return TRUTH(character == ' ' || character == '\t');
}

int iscntrl(int character)
{
    return TRUTH((character >= 0 && character < ' ') || character == 127);
}

int isprint(int character)
{
    return TRUTH(character >= ' ' && character < 127);
}

int isgraph(int character)
{
    return TRUTH(character > ' ' && character < 127);
}

int ispunct(int character)
{
    return TRUTH((character >= '!' && character <= '/') || (character >= ':' && character <= '@') ||
           (character >= '[' && character <= '`') || (character >= '{' && character <= '~'));
}

int isascii(int character)
{
    return TRUTH(character >= 0 && character <= 127);
}

int toascii(int character)
{
    return character & 127;
}

int tolower(int character)
{
    return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
}

int toupper(int character)
{
    return character >= 'a' && character <= 'z' ? character - ('a' - 'A') : character;
}
