// expect: unsafe
// gcc: no a C library has no source line for it
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data", "r");
    int character;

    if (file == NULL)
        return 1;
    character = fgetc(file);
    if (character == EOF)
        fclose(file);
    fclose(file); // BAD: double-free
    return 0;
}
