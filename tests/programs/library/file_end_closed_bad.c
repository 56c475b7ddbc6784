// expect: unsafe
// gcc: no a C library has no source line for it
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data", "r");
    int first, second;

    if (file == NULL)
        return 1;
    first = fgetc(file);
    if (first == EOF)
        fclose(file);
    second = fgetc(file); // BAD: use-after-free
    fclose(file);
    return second == first;
}
