// expect: safe
// Assembler without instructions changes nothing; one form of it copies.
#include <assert.h>

#define BARRIER() __asm__ __volatile__("" ::: "memory")

int main(void)
{
    int x = 1, y = 2;
    BARRIER();
    __asm__("" : "+r"(x));
    __asm__("" : "=r"(y) : "0"(x));
    __asm__ volatile("nop");
    assert(x == 1 && y == 1);
    return 0;
}
