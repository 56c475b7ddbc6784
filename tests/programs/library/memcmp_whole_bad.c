// expect: unsafe
// memcmp may read both blocks to their ends, also where they differ before.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *name = malloc(4);
    int differs;
    if (name == NULL)
        return 1;
    memset(name, 'z', 4);
    differs = memcmp(name, "abcdef", 6); // BAD: bounds
    free(name);
    return differs != 0;
}
