// expect: safe
// The text that sscanf reads and sprintf writes is followed.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char key[4], value[4], text[16];
    int low = 0, high = 0, used = 0;
    assert(sscanf("ab=cd", "%3[^=]=%3s", key, value) == 2);
    assert(strcmp(key, "ab") == 0 && strcmp(value, "cd") == 0);
    sprintf(text, "%d..%x %5.2f", 12345, 255u, 1.5);
    assert(strcmp(text, "12345..ff  1.50") == 0);
    assert(sscanf(text, "%3d%*d..%x%n", &low, &high, &used) == 2);
    assert(low == 123 && high == 255 && used == 9);
    assert(sscanf("", "%d", &low) == EOF && sscanf("x", "%d", &low) == 0);
    return 0;
}
