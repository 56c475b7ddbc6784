/* Characters of 16 and 32 bits. */
#ifndef HEAPWRIGHT_UCHAR_H
#define HEAPWRIGHT_UCHAR_H
#include <stddef.h>
#include <wchar.h>
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
size_t mbrtoc16(char16_t *result, const char *text, size_t count, mbstate_t *state);
size_t c16rtomb(char *text, char16_t character, mbstate_t *state);
size_t mbrtoc32(char32_t *result, const char *text, size_t count, mbstate_t *state);
size_t c32rtomb(char *text, char32_t character, mbstate_t *state);
#endif
