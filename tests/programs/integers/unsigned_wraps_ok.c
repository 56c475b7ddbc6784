// expect: safe
// Unsigned arithmetic wraps, narrow types lose their high bits.
#include <assert.h>
#include <limits.h>

int main(void)
{
    unsigned u = 0;
    u--;
    assert(u == UINT_MAX && u + 1 == 0);
    unsigned char c = 250;
    c += 10;
    assert(c == 4);
    signed char s = (signed char)200;
    assert(s == -56);
    unsigned short h = 0xffff;
    assert(h + 1 == 0x10000);
    h++;
    assert(h == 0);
    return 0;
}
