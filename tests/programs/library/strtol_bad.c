// expect: unsafe
#include <stdlib.h>

int main(void)
{
    char *text = malloc(3 * sizeof(char));
    char *end;
    text[0] = '1';
    text[1] = '2';
    text[2] = 0;
    long value = strtol(text, &end, 10);
    free(text);
    return *end == 0 && value; // BAD: use-after-free
}
