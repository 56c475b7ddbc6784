// expect: unsafe
// The bytes of an integer, least significant first.
#include <assert.h>

int main(void)
{
    int number = 0x102;
    unsigned char *bytes = (unsigned char *)&number;
    assert(bytes[0] == 2 && bytes[1] == 1 && bytes[2] == 0);
    bytes[1] = 0;
    assert(number == 0x102); // BAD: assert
    return 0;
}
