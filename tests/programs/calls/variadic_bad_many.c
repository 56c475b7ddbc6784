// expect: unsafe
// gcc: no sanitizer sees it
// More arguments are read than there are.
#include <stdarg.h>

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    while (count-- > 0)
        total += va_arg(list, int); // BAD: invalid-deref
    va_end(list);
    return total;
}

int main(void)
{
    return sum(3, 1, 2);
}
