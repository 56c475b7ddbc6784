// expect: unsafe
// Writing the whole changes the bit-fields that share its bytes.
#include <assert.h>

union flags {
    struct { unsigned low : 4, high : 4; } part;
    unsigned char all;
};

int main(void)
{
    union flags f;
    f.part.low = 0;
    f.part.high = 0;
    f.all = 0xff;
    assert(f.part.low == 0); // BAD: assert
    return 0;
}
