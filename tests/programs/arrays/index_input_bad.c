// expect: unsafe
// An index that is tested on one side only, with no constant near the end of the array.
// gcc: no what is read decides
#include <stdio.h>

static int chosen;

static void show(void)
{
    int table[40] = {0};
    if (chosen >= 0)
        printf("%d\n", table[chosen]); // BAD: bounds
}

int main(void)
{
    int number = -1;
    fscanf(stdin, "%d", &number);
    chosen = number;
    show();
    return 0;
}
