// expect: unsafe
// The word and its final zero do not fit.
#include <string.h>

int main(void)
{
    char buffer[3];
    strcpy(buffer, "abc"); // BAD: bounds
    return 0;
}
