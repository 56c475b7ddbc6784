// expect: safe
// A duplicated string is a heap block.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("hi");
    assert(copy[0] == 'h' && copy[2] == 0);
    free(copy);
    return 0;
}
