/* Classes of wide characters: those of ASCII are known, of others the locale decides. */
#include "intrinsics.h"
#include <string.h>
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

/* The classes by number; the locale may have others. */
wctype_t wctype(const char *name)
{
    if (strcmp(name, "alnum") == 0)
        return 1;
    if (strcmp(name, "alpha") == 0)
        return 2;
    if (strcmp(name, "blank") == 0)
        return 3;
    if (strcmp(name, "cntrl") == 0)
        return 4;
    if (strcmp(name, "digit") == 0)
        return 5;
    if (strcmp(name, "graph") == 0)
        return 6;
    if (strcmp(name, "lower") == 0)
        return 7;
    if (strcmp(name, "print") == 0)
        return 8;
    if (strcmp(name, "punct") == 0)
        return 9;
    if (strcmp(name, "space") == 0)
        return 10;
    if (strcmp(name, "upper") == 0)
        return 11;
    if (strcmp(name, "xdigit") == 0)
        return 12;
    return hw_model_input_between(0, 1) ? 13 : 0;
}

int iswctype(wint_t character, wctype_t class)
{
    switch (class) {
    case 0:
        return 0;
    case 1:
        return iswalnum(character);
    case 2:
        return iswalpha(character);
    case 3:
        return iswblank(character);
    case 4:
        return iswcntrl(character);
    case 5:
        return iswdigit(character);
    case 6:
        return iswgraph(character);
    case 7:
        return iswlower(character);
    case 8:
        return iswprint(character);
    case 9:
        return iswpunct(character);
    case 10:
        return iswspace(character);
    case 11:
        return iswupper(character);
    case 12:
        return iswxdigit(character);
    default:
        return TRUTH(hw_model_input_between(0, 1));
    }
}

static const int to_lower, to_upper, to_another;

wctrans_t wctrans(const char *name)
{
    if (strcmp(name, "tolower") == 0)
        return &to_lower;
    if (strcmp(name, "toupper") == 0)
        return &to_upper;
    return hw_model_input_between(0, 1) ? &to_another : NULL;
}

wint_t towctrans(wint_t character, wctrans_t mapping)
{
    if (mapping == NULL)
        return character;
    if (mapping == &to_lower)
        return towlower(character);
    return mapping == &to_upper ? towupper(character) : hw_model_input_unsigned_int();
}
