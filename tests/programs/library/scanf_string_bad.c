// expect: unsafe
// gcc: no it reads nothing from the standard input
#include <stdio.h>

int main(void)
{
    char word[4];
    if (scanf("%4s", word) == 1) // BAD: bounds
        return word[0];
    return 0;
}
