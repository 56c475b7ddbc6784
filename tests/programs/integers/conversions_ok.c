// expect: safe
// The usual arithmetic conversions, shifts, division and remainder.
#include <assert.h>

int main(void)
{
    int m = -1;
    unsigned u = 1;
    assert(m > u);
    assert((long long)m < (long long)u);
    assert(-7 / 2 == -3 && -7 % 2 == -1);
    assert((-8 >> 1) == -4 && (1u << 31) >> 31 == 1 && (0x80000000u >> 4) == 0x08000000);
    short s = -2;
    assert((unsigned short)s == 65534 && (s & 0xf) == 14 && ~s == 1);
    long long wide = 0x100000001LL;
    int low = (int)wide;
    assert(low == 1);
    assert(sizeof(s + s) == sizeof(int) && (char)'a' + 1 == 'b');
    assert((5 ^ 3) == 6 && (5 | 3) == 7 && (5 & 3) == 1 && !5 == 0);
    return 0;
}
