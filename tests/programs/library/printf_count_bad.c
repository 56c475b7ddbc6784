// expect: unsafe
// %n stores the number of characters.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int count = 0;
    int value = 123;
    printf("%d: %5s%n", value, "abc", &count);
    assert(count == 9); // BAD: assert
    return 0;
}
