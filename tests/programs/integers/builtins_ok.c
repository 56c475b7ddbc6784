// expect: safe
// GNU's built-in functions on bits, and arithmetic that says whether it overflows.
#include <assert.h>

int main(void)
{
    unsigned x = 0x12345678;
    assert(__builtin_popcount(x) == 13);
    assert(__builtin_clz(1u) == 31);
    assert(__builtin_ctz(8u) == 3);
    assert(__builtin_bswap32(x) == 0x78563412u);
    assert(__builtin_ffs(0) == 0 && __builtin_ffs(4) == 3);
    assert(__builtin_parity(7u) == 1);
    assert(__builtin_popcountll(~0ull) == 64);
    assert(__builtin_clzl(1ul) == 63);
    int r;
    assert(__builtin_add_overflow(0x7fffffff, 1, &r) && r == (int)0x80000000);
    assert(!__builtin_mul_overflow(3, 4, &r) && r == 12);
    unsigned char c;
    assert(__builtin_sub_overflow(1, 2, &c) && c == 255);
    assert(__builtin_bswap16(0x1234) == 0x3412);
    assert(__builtin_bswap64(1) == 1ull << 56);
    assert(__builtin_abs(-3) == 3);
    return 0;
}
