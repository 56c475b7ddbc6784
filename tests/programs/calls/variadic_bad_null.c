// expect: unsafe
// The list of pointers ends with a null pointer, which is read as one of them.
#include <stdarg.h>
#include <stddef.h>

static int total(int *first, ...)
{
    va_list list;
    int result = 0;
    va_start(list, first);
    for (int i = 0; i < 3; i++) {
        result += *first; // BAD: null-deref
        first = va_arg(list, int *);
    }
    va_end(list);
    return result;
}

int main(void)
{
    int a = 1, b = 2;
    return total(&a, &b, NULL);
}
