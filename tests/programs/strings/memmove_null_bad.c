// expect: unsafe
#include <string.h>

int main(void)
{
    char to[4];
    memmove(to, NULL, 4); // BAD: null-deref
    return to[0] == to[0] ? 0 : 1;
}
