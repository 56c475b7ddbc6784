// expect: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text = malloc(2 * sizeof(char));
    text[0] = 'a';
    text[1] = 'b';
    puts(text); // BAD: bounds
    free(text);
    return 0;
}
