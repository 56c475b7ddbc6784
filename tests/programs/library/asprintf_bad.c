// expect: unsafe
#include <stdio.h>
#include <stdlib.h>

int asprintf(char **result, const char *format, ...);

int main(void)
{
    char *text;
    int length = asprintf(&text, "%d-%s", 42, "x");
    if (length < 0)
        return 1;
    text[length + 1] = 0; // BAD: bounds
    free(text);
    return 0;
}
