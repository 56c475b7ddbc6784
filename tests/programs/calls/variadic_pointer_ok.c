// expect: safe
#include <stdio.h>

static int count(int n, ...) { return n; }

int main(void)
{
    int (*print)(const char *, ...) = printf;
    int (*counter)(int, ...) = count;
    print("%d\n", 1);
    return counter(0, 1, 2);
}
