// expect: safe
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char text[] = " -12x0x1f";
    char *end;
    assert(strtol(text, &end, 10) == -12 && end == text + 4 && *end == 'x');
    assert(strtol(end + 1, &end, 0) == 31 && *end == 0);
    assert(strtoul("77", NULL, 8) == 63);
    assert(strtol("none", &end, 10) == 0 && *end == 'n');
    return 0;
}
