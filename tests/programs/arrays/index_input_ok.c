// expect: safe
// An index that is tested on both sides: every element that it may mean is tried.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int number = -1;
    int *table = calloc(12, sizeof *table);
    fscanf(stdin, "%d", &number);
    if (number >= 0 && number < 12)
        table[number] = 1;
    free(table);
    return 0;
}
