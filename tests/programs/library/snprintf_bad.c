// expect: unsafe
#include <stdio.h>

int main(void)
{
    char text[4];
    snprintf(text, 6, "%s", "hello"); // BAD: bounds
    return 0;
}
