/* Built-in functions of GNU C (c/syntax/builtins.py). */
#include "intrinsics.h"

/* The result where GNU C leaves it open. */
static int open_result(void)
{
    return hw_model_approximate_int();
}

int __hw_popcount(unsigned int value)
{
    int count = 0;
    for (; value != 0; value >>= 1)
        count += (int)(value & 1);
    return count;
}

int __hw_parity(unsigned int value)
{
    return __hw_popcount(value) & 1;
}

int __hw_clz(unsigned int value)
{
    int count = 8 * (int)sizeof value;
    if (value == 0)
        return open_result();
    for (; value != 0; value >>= 1)
        count--;
    return count;
}

int __hw_ctz(unsigned int value)
{
    int count = 0;
    if (value == 0)
        return open_result();
    for (; (value & 1) == 0; value >>= 1)
        count++;
    return count;
}

int __hw_ffs(int value)
{
    return value == 0 ? 0 : __hw_ctz((unsigned int)value) + 1;
}

int __hw_clrsb(int value)
{
    unsigned int bits = value < 0 ? ~(unsigned int)value : (unsigned int)value;
    return bits == 0 ? 8 * (int)sizeof value - 1 : __hw_clz(bits) - 1;
}

int __hw_popcountl(unsigned long value)
{
    int count = 0;
    for (; value != 0; value >>= 1)
        count += (int)(value & 1);
    return count;
}

int __hw_parityl(unsigned long value)
{
    return __hw_popcountl(value) & 1;
}

int __hw_clzl(unsigned long value)
{
    int count = 8 * (int)sizeof value;
    if (value == 0)
        return open_result();
    for (; value != 0; value >>= 1)
        count--;
    return count;
}

int __hw_ctzl(unsigned long value)
{
    int count = 0;
    if (value == 0)
        return open_result();
    for (; (value & 1) == 0; value >>= 1)
        count++;
    return count;
}

int __hw_ffsl(long value)
{
    return value == 0 ? 0 : __hw_ctzl((unsigned long)value) + 1;
}

int __hw_clrsbl(long value)
{
    unsigned long bits = value < 0 ? ~(unsigned long)value : (unsigned long)value;
    return bits == 0 ? 8 * (int)sizeof value - 1 : __hw_clzl(bits) - 1;
}

int __hw_popcountll(unsigned long long value)
{
    int count = 0;
    for (; value != 0; value >>= 1)
        count += (int)(value & 1);
    return count;
}

int __hw_parityll(unsigned long long value)
{
    return __hw_popcountll(value) & 1;
}

int __hw_clzll(unsigned long long value)
{
    int count = 8 * (int)sizeof value;
    if (value == 0)
        return open_result();
    for (; value != 0; value >>= 1)
        count--;
    return count;
}

int __hw_ctzll(unsigned long long value)
{
    int count = 0;
    if (value == 0)
        return open_result();
    for (; (value & 1) == 0; value >>= 1)
        count++;
    return count;
}

int __hw_ffsll(long long value)
{
    return value == 0 ? 0 : __hw_ctzll((unsigned long long)value) + 1;
}

int __hw_clrsbll(long long value)
{
    unsigned long long bits = value < 0 ? ~(unsigned long long)value : (unsigned long long)value;
    return bits == 0 ? 8 * (int)sizeof value - 1 : __hw_clzll(bits) - 1;
}

unsigned short __hw_bswap16(unsigned short value)
{
    return (unsigned short)(value << 8 | value >> 8);
}

unsigned int __hw_bswap32(unsigned int value)
{
    return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}

__UINT64_TYPE__ __hw_bswap64(__UINT64_TYPE__ value)
{
    return (__UINT64_TYPE__)__hw_bswap32((unsigned int)value) << 32 | __hw_bswap32((unsigned int)(value >> 32));
}

/* The result is stored as far as the type can hold it; whether it could not. Where no type holds all results, these
 * functions have no body. */
#ifdef __SIZEOF_INT128__

int __hw_add_overflow_s8(__int128 left, __int128 right, signed char *result)
{
    __int128 exact = left + right;
    *result = (signed char)exact;
    return *result != exact;
}

int __hw_add_overflow_s16(__int128 left, __int128 right, short *result)
{
    __int128 exact = left + right;
    *result = (short)exact;
    return *result != exact;
}

int __hw_add_overflow_s32(__int128 left, __int128 right, int *result)
{
    __int128 exact = left + right;
    *result = (int)exact;
    return *result != exact;
}

int __hw_add_overflow_s64(__int128 left, __int128 right, long *result)
{
    __int128 exact = left + right;
    *result = (long)exact;
    return *result != exact;
}

int __hw_add_overflow_u8(__int128 left, __int128 right, unsigned char *result)
{
    __int128 exact = left + right;
    *result = (unsigned char)exact;
    return *result != exact;
}

int __hw_add_overflow_u16(__int128 left, __int128 right, unsigned short *result)
{
    __int128 exact = left + right;
    *result = (unsigned short)exact;
    return *result != exact;
}

int __hw_add_overflow_u32(__int128 left, __int128 right, unsigned int *result)
{
    __int128 exact = left + right;
    *result = (unsigned int)exact;
    return *result != exact;
}

int __hw_add_overflow_u64(__int128 left, __int128 right, unsigned long *result)
{
    __int128 exact = left + right;
    *result = (unsigned long)exact;
    return *result != exact;
}

int __hw_sub_overflow_s8(__int128 left, __int128 right, signed char *result)
{
    __int128 exact = left - right;
    *result = (signed char)exact;
    return *result != exact;
}

int __hw_sub_overflow_s16(__int128 left, __int128 right, short *result)
{
    __int128 exact = left - right;
    *result = (short)exact;
    return *result != exact;
}

int __hw_sub_overflow_s32(__int128 left, __int128 right, int *result)
{
    __int128 exact = left - right;
    *result = (int)exact;
    return *result != exact;
}

int __hw_sub_overflow_s64(__int128 left, __int128 right, long *result)
{
    __int128 exact = left - right;
    *result = (long)exact;
    return *result != exact;
}

int __hw_sub_overflow_u8(__int128 left, __int128 right, unsigned char *result)
{
    __int128 exact = left - right;
    *result = (unsigned char)exact;
    return *result != exact;
}

int __hw_sub_overflow_u16(__int128 left, __int128 right, unsigned short *result)
{
    __int128 exact = left - right;
    *result = (unsigned short)exact;
    return *result != exact;
}

int __hw_sub_overflow_u32(__int128 left, __int128 right, unsigned int *result)
{
    __int128 exact = left - right;
    *result = (unsigned int)exact;
    return *result != exact;
}

int __hw_sub_overflow_u64(__int128 left, __int128 right, unsigned long *result)
{
    __int128 exact = left - right;
    *result = (unsigned long)exact;
    return *result != exact;
}

int __hw_mul_overflow_s8(__int128 left, __int128 right, signed char *result)
{
    __int128 exact = left * right;
    *result = (signed char)exact;
    return *result != exact;
}

int __hw_mul_overflow_s16(__int128 left, __int128 right, short *result)
{
    __int128 exact = left * right;
    *result = (short)exact;
    return *result != exact;
}

int __hw_mul_overflow_s32(__int128 left, __int128 right, int *result)
{
    __int128 exact = left * right;
    *result = (int)exact;
    return *result != exact;
}

int __hw_mul_overflow_s64(__int128 left, __int128 right, long *result)
{
    __int128 exact = left * right;
    *result = (long)exact;
    return *result != exact;
}

int __hw_mul_overflow_u8(__int128 left, __int128 right, unsigned char *result)
{
    __int128 exact = left * right;
    *result = (unsigned char)exact;
    return *result != exact;
}

int __hw_mul_overflow_u16(__int128 left, __int128 right, unsigned short *result)
{
    __int128 exact = left * right;
    *result = (unsigned short)exact;
    return *result != exact;
}

int __hw_mul_overflow_u32(__int128 left, __int128 right, unsigned int *result)
{
    __int128 exact = left * right;
    *result = (unsigned int)exact;
    return *result != exact;
}

int __hw_mul_overflow_u64(__int128 left, __int128 right, unsigned long *result)
{
    __int128 exact = left * right;
    *result = (unsigned long)exact;
    return *result != exact;
}

#endif
