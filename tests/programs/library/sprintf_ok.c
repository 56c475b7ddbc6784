// expect: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[12];
    const char *name = "ab";
    int n = sprintf(text, "%s=%03d,%c", name, 7, 'x');
    assert(n == 8 && strcmp(text, "ab=007,x") == 0);
    n = sprintf(text, "%4s|%-3s|", name, "y");
    assert(n == 9 && strcmp(text, "  ab|y  |") == 0);
    return 0;
}
