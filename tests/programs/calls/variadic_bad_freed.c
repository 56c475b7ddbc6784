// expect: unsafe
// A freed string is handed to vprintf.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list); // BAD: use-after-free
    va_end(list);
}

int main(void)
{
    char *text = malloc(3);
    strcpy(text, "ab");
    say("%d %s\n", 1, text);
    free(text);
    say("%d %s\n", 2, text);
    return 0;
}
