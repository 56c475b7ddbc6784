// expect: unsafe
// gcc: no it reads nothing from the standard input
#include <stdio.h>

int main(void)
{
    char line[4] = "abc";
    if (fgets(line, 5, stdin) == NULL) // BAD: bounds
        return 1;
    return 0;
}
