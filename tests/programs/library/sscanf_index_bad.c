// expect: unsafe
// gcc: no it reads nothing from the standard input
#include <stdio.h>

int main(void)
{
    int cells[5] = {0}, index;
    char line[3];
    if (fgets(line, sizeof line, stdin) && sscanf(line, "%d", &index) == 1 && index >= 0 && index <= 5)
        cells[index] = 1; // BAD: bounds
    return 0;
}
