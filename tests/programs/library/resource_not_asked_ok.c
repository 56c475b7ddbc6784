// expect: safe
#include <stdio.h>

static int first(const char *name)
{
    FILE *file = fopen(name, "r");
    int character;

    if (file == NULL)
        return EOF;
    character = fgetc(file);
    if (character == EOF)
        return EOF;
    fclose(file);
    return character;
}

int main(void)
{
    return first("data") == EOF;
}
