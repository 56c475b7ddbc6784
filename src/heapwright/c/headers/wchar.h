/* Wide characters. */
#ifndef HEAPWRIGHT_WCHAR_H
#define HEAPWRIGHT_WCHAR_H
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
typedef __WINT_TYPE__ wint_t;
typedef struct {
    int state;
} mbstate_t;
struct tm;
#undef WEOF
#define WEOF ((wint_t)-1)
#ifndef WCHAR_MAX
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN (-WCHAR_MAX - 1)
#endif

size_t wcslen(const wchar_t *text);
size_t wcsnlen(const wchar_t *text, size_t limit);
wchar_t *wcscpy(wchar_t *target, const wchar_t *source);
wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t size);
wchar_t *wcscat(wchar_t *target, const wchar_t *source);
wchar_t *wcsncat(wchar_t *target, const wchar_t *source, size_t size);
int wcscmp(const wchar_t *left, const wchar_t *right);
int wcsncmp(const wchar_t *left, const wchar_t *right, size_t size);
int wcscoll(const wchar_t *left, const wchar_t *right);
size_t wcsxfrm(wchar_t *target, const wchar_t *source, size_t size);
wchar_t *wcschr(const wchar_t *text, wchar_t character);
wchar_t *wcsrchr(const wchar_t *text, wchar_t character);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accept);
size_t wcsspn(const wchar_t *text, const wchar_t *accept);
size_t wcscspn(const wchar_t *text, const wchar_t *reject);
wchar_t *wcstok(wchar_t *text, const wchar_t *separators, wchar_t **rest);
wchar_t *wcsdup(const wchar_t *text);

wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t count);
wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count);
wchar_t *wmemset(wchar_t *target, wchar_t character, size_t count);
int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count);
wchar_t *wmemchr(const wchar_t *block, wchar_t character, size_t count);

long wcstol(const wchar_t *text, wchar_t **end, int base);
unsigned long wcstoul(const wchar_t *text, wchar_t **end, int base);
long long wcstoll(const wchar_t *text, wchar_t **end, int base);
unsigned long long wcstoull(const wchar_t *text, wchar_t **end, int base);
float wcstof(const wchar_t *text, wchar_t **end);
double wcstod(const wchar_t *text, wchar_t **end);
long double wcstold(const wchar_t *text, wchar_t **end);

int wprintf(const wchar_t *format, ...);
int fwprintf(FILE *stream, const wchar_t *format, ...);
int swprintf(wchar_t *buffer, size_t size, const wchar_t *format, ...);
int vwprintf(const wchar_t *format, va_list arguments);
int vfwprintf(FILE *stream, const wchar_t *format, va_list arguments);
int vswprintf(wchar_t *buffer, size_t size, const wchar_t *format, va_list arguments);
int wscanf(const wchar_t *format, ...);
int fwscanf(FILE *stream, const wchar_t *format, ...);
int swscanf(const wchar_t *text, const wchar_t *format, ...);
int vwscanf(const wchar_t *format, va_list arguments);
int vfwscanf(FILE *stream, const wchar_t *format, va_list arguments);
int vswscanf(const wchar_t *text, const wchar_t *format, va_list arguments);

wint_t getwchar(void);
wint_t getwc(FILE *stream);
wint_t fgetwc(FILE *stream);
wint_t ungetwc(wint_t character, FILE *stream);
wchar_t *fgetws(wchar_t *buffer, int size, FILE *stream);
wint_t putwchar(wchar_t character);
wint_t putwc(wchar_t character, FILE *stream);
wint_t fputwc(wchar_t character, FILE *stream);
int fputws(const wchar_t *text, FILE *stream);
int fwide(FILE *stream, int mode);

wint_t btowc(int character);
int wctob(wint_t character);
int mbsinit(const mbstate_t *state);
size_t mbrlen(const char *text, size_t count, mbstate_t *state);
size_t mbrtowc(wchar_t *result, const char *text, size_t count, mbstate_t *state);
size_t wcrtomb(char *text, wchar_t character, mbstate_t *state);
size_t mbsrtowcs(wchar_t *target, const char **source, size_t count, mbstate_t *state);
size_t wcsrtombs(char *target, const wchar_t **source, size_t count, mbstate_t *state);
size_t wcsftime(wchar_t *buffer, size_t size, const wchar_t *format, const struct tm *time);
#endif
