// expect: safe
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int count = 0;
    int value = -123;
    printf("%d: %5s%n", value, "abc", &count);
    assert(count == 11);
    printf("%05u%c%n", 7u, 'x', &count);
    assert(count == 6);
    return 0;
}
