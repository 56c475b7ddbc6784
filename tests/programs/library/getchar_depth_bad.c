// expect: unsafe
// gcc: no it reads nothing from the standard input
// options: --states 3000
// Brackets that are nested deeper than the stack that keeps them.
#include <stdio.h>

int main(void)
{
    char opened[10];
    int depth = 0, c;
    while ((c = getchar()) != EOF && c != '\n')
        if (c == '(' || c == '[')
            opened[depth++] = (char)c; // BAD: bounds
        else if ((c == ')' || c == ']') && depth > 0)
            depth--;
    return depth != 0;
}
