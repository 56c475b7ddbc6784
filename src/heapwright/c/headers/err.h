/* Messages about errors. */
#ifndef HEAPWRIGHT_ERR_H
#define HEAPWRIGHT_ERR_H
#include <stdarg.h>
__attribute__((__noreturn__)) void err(int status, const char *format, ...);
__attribute__((__noreturn__)) void errx(int status, const char *format, ...);
__attribute__((__noreturn__)) void verr(int status, const char *format, va_list arguments);
void warn(const char *format, ...);
void warnx(const char *format, ...);
#endif
