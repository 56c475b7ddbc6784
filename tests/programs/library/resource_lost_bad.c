// expect: unsafe
// options: --property resource-leak --property valid-memsafety
// gcc: no a C library has no source line for it
#include <stdio.h>

static int first(const char *name)
{
    FILE *file = fopen(name, "r");
    int character;

    if (file == NULL)
        return EOF;
    character = fgetc(file);
    if (character == EOF)
        return EOF; // BAD: resource-leak
    fclose(file);
    return character;
}

int main(void)
{
    return first("data") == EOF;
}
