// expect: unsafe
// sprintf writes the final zero as well.
#include <stdio.h>

int main(void)
{
    char text[4];
    int number = 100;
    sprintf(text, "%d", number);
    sprintf(text, "%s!", "abc"); // BAD: bounds
    return text[0];
}
