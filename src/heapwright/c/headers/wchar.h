/* Wide characters. */
#ifndef HEAPWRIGHT_WCHAR_H
#define HEAPWRIGHT_WCHAR_H
#include <stddef.h>
typedef __WINT_TYPE__ wint_t;
#define WEOF ((wint_t)-1)
size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *target, const wchar_t *source);
int wcscmp(const wchar_t *left, const wchar_t *right);
wchar_t *wcschr(const wchar_t *text, wchar_t character);
int wprintf(const wchar_t *format, ...);
#endif
