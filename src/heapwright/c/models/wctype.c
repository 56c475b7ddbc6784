/* Classes of wide characters: those of ASCII are known, of others the locale decides. */
#include "intrinsics.h"
#include <wctype.h>

int iswalnum(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH(((character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z') ||
                  (character >= 'a' && character <= 'z')));
}

int iswalpha(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH(((character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z')));
}

int iswblank(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH((character == ' ' || character == '\t'));
}

int iswcntrl(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH((character < ' ' || character == 127));
}

int iswdigit(wint_t character)
{
    return TRUTH((character >= '0' && character <= '9'));
}

int iswgraph(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH((character > ' ' && character < 127));
}

int iswlower(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH((character >= 'a' && character <= 'z'));
}

int iswprint(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH((character >= ' ' && character < 127));
}

int iswpunct(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH(((character >= '!' && character <= '/') || (character >= ':' && character <= '@') ||
                  (character >= '[' && character <= '`') || (character >= '{' && character <= '~')));
}

int iswspace(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH((character == ' ' || (character >= '\t' && character <= '\r')));
}

int iswupper(wint_t character)
{
    if (character > 127)
        return TRUTH(hw_model_input_between(0, 1));
    return TRUTH((character >= 'A' && character <= 'Z'));
}

int iswxdigit(wint_t character)
{
    return TRUTH(((character >= '0' && character <= '9') || (character >= 'A' && character <= 'F') ||
                  (character >= 'a' && character <= 'f')));
}

wint_t towlower(wint_t character)
{
    if (character > 127)
        return hw_model_input_unsigned_int();
    return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
}

wint_t towupper(wint_t character)
{
    if (character > 127)
        return hw_model_input_unsigned_int();
    return character >= 'a' && character <= 'z' ? character - ('a' - 'A') : character;
}
