// expect: safe
// A key by its bytes, with padding; bit-fields and a packed struct in bytes; the bytes of an input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct key { char kind; int number; };
struct flags { unsigned low : 3, high : 5, more : 8; };
struct __attribute__((packed)) packet { unsigned char type; unsigned length; unsigned short sum; };

static unsigned hash(const void *key, size_t size)
{
    const unsigned char *bytes = key;
    unsigned h = 5381;
    for (size_t i = 0; i < size; i++)
        h = h * 33 ^ bytes[i];
    return h;
}

int main(void)
{
    struct key one, other;
    memset(&one, 0, sizeof one);
    memset(&other, 0, sizeof other);
    one.kind = other.kind = 1;
    one.number = other.number = 7;
    assert(memcmp(&one, &other, sizeof one) == 0 && hash(&one, sizeof one) == hash(&other, sizeof other));
    int table[8] = {0};
    table[hash(&one, sizeof one) % 8]++;

    struct flags f = {5, 17, 200};
    unsigned char bytes[sizeof f];
    memcpy(bytes, &f, sizeof f);
    assert(bytes[0] == (5 | 17 << 3) && bytes[1] == 200);
    memset(&f, 5, sizeof f);
    assert(f.low == 5 && f.high == 0 && f.more == 5);

    unsigned char wire[7] = {1, 0x10, 0x20, 0x30, 0x40, 0x99, 0x88};
    struct packet p;
    memcpy(&p, wire, sizeof p);
    assert(p.type == 1 && p.length == 0x40302010 && p.sum == 0x8899);

    int in = __VERIFIER_nondet_int(), copy;
    for (size_t i = 0; i < sizeof in; i++)
        ((char *)&copy)[i] = ((char *)&in)[i];
    assert(in == copy);
    if (((unsigned char *)&in)[2] == 77)
        assert(((unsigned)in >> 16 & 0xff) == 77);
    return 0;
}
