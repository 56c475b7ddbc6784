// expect: safe
// Every width: promotions, narrowing, mixed signs.
#include <assert.h>
#include <stdint.h>

int main(void)
{
    int64_t a = INT64_C(0x123456789);
    int32_t b = (int32_t)a;
    assert(b == 0x23456789);
    uint8_t c = (uint8_t)-1;
    c >>= 1;
    assert(c == 127);
    c = c << 1;
    int8_t d = (int8_t)c;
    assert(c == 254 && d == -2 && (uint32_t)d == 0xfffffffeu && (d >> 1) == -1);
    assert((uint16_t)d + 1 == 65535);
    unsigned e = 3;
    assert(e - 4 > 0 && (int)(e - 4) == -1 && -1 < (long)e && (e - 4) / 2 == 0x7fffffff);
    assert(7u % 4 == 3 && -7 % 3 == -1 && 7 / -2 == -3);
    long long m = 1LL << 40;
    assert((int)(m >> 38) == 4 && m / 3 * 3 + m % 3 == m);
    assert((1 ? -1 : 0u) > 0 && sizeof(1 ? 'a' : 1L) == sizeof(long));
    char ch = 'z';
    ch += 1;
    assert(ch == '{' && '\xff' == -1 && "ab"[1] == 'b');
    _Bool f = 2;
    f += 1;
    assert(f == 1);
    f--;
    assert(f == 0 && !f == 1 && !!5 == 1);
    enum { A = -1, B } g = B;
    assert(g == 0 && A < 0);
    short s = 32767;
    s++;
    assert(s == -32768);
    s = s * 2;
    assert(s == 0);
    unsigned bits = 0xF0;
    bits &= ~0x10u;
    bits ^= 1;
    bits |= 0x100;
    assert(bits == 0x1E1 && (bits >> 4 & 0xf) == 0xe);
    struct {
        int a : 4;
        unsigned b : 4;
        _Bool c : 1;
        unsigned long long d : 40;
    } field = {7, 15, 1, 1ull << 39};
    field.a++;
    field.b++;
    assert(field.a == -8 && field.b == 0 && field.c == 1 && field.d == 1ull << 39);
    field.d <<= 1;
    assert(field.d == 0);
    return 0;
}
