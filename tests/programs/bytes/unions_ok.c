// expect: safe
// Members of a union share their bytes, whichever way they are written: by name, by address, by memset, by a copy.
#include <assert.h>
#include <string.h>

union cell {
    int number;
    short half[2];
    unsigned char bytes[4];
    float real;
};

union message {
    struct { int id; char name[12]; } record;
    unsigned char raw[16];
};

static void set(int *number, int value) { *number = value; }

int main(void)
{
    union cell one, two;
    one.number = 0x00020001;
    assert(one.half[0] == 1 && one.half[1] == 2);
    one.half[1] = -1;
    assert(one.number == (int)0xffff0001 && one.bytes[3] == 255);
    one.real = 1.0f;
    assert(one.bytes[3] == 0x3f && one.number == 0x3f800000);
    set(&two.number, 0x0a0b0c0d);
    unsigned char *last = &two.bytes[3];
    *last = 0;
    assert(two.number == 0x000b0c0d);
    one = two;
    assert(one.bytes[0] == 0x0d);

    union message m;
    memset(&m, 0, sizeof m);
    m.record.id = 258;
    strcpy(m.record.name, "hey");
    assert(m.raw[0] == 2 && m.raw[1] == 1 && m.raw[4] == 'h');
    m.raw[5] = 'o';
    assert(strcmp(m.record.name, "hoy") == 0);
    return 0;
}
