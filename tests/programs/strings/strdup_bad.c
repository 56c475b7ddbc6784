// expect: unsafe
// A duplicated string is a heap block that somebody has to free.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("hi");
    assert(copy[0] == 'h' && copy[2] == 0);
    return 0; // BAD: leak
}
