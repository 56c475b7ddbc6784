// expect: unsafe
// gcc: no it reads nothing from the standard input
// options: --states 10000
// A word that is longer than its array lies behind a choice for each of its characters.
#include <stdio.h>

int main(void)
{
    char line[40], unit[6];
    int amount;
    while (fgets(line, sizeof line, stdin))
        if (sscanf(line, "%d %s", &amount, unit) == 2) // BAD: bounds
            printf("%d\n", amount);
    return 0;
}
