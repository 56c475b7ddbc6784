// expect: safe
// Variable arguments: read in a loop, copied, passed on to other functions and to vsnprintf.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int left, right;
};

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    while (count-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

static int mixed(const char *kinds, va_list list)
{
    int total = 0;
    for (; *kinds; kinds++) {
        if (*kinds == 'p')
            total += *va_arg(list, int *);
        else if (*kinds == 'l')
            total += (int)va_arg(list, long);
        else if (*kinds == 's')
            total += va_arg(list, struct pair).right;
        else
            total += va_arg(list, int);
    }
    return total;
}

static int twice(const char *kinds, ...)
{
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    int total = mixed(kinds, list) + mixed(kinds, again);
    va_end(again);
    va_end(list);
    return total;
}

static char *text(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *result = malloc(length + 1);
    va_start(list, format);
    vsnprintf(result, length + 1, format, list);
    va_end(list);
    return result;
}

static int last(int count, ...)
{
    va_list list;
    va_start(list, count);
    int value = va_arg(list, int);
    if (count > 1)
        value = last(count - 1, va_arg(list, int));
    va_end(list);
    return value;
}

int main(void)
{
    int value = 3;
    int (*function)(int, ...) = sum;
    assert(sum(0) == 0 && sum(3, 1, 'b' - 'a', 3) == 5 && function(2, 4, 5) == 9);
    assert(twice("ipls", 1, &value, 5L, (struct pair){6, 7}) == 32);
    assert(last(2, 8, 9) == 9);
    char *shown = text("%s-%c", "ab", 'z');
    assert(strcmp(shown, "ab-z") == 0);
    free(shown);
    return 0;
}
