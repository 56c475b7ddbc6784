// expect: safe
// The distance of two pointers is counted in what they point to: rows, elements, bytes.
#include <assert.h>

struct record { int a, b; long c; };

static int numbers[20], matrix[3][4];

int main(void)
{
    struct record r;
    int (*row)[4] = matrix + 2;
    assert((char *)&r.b - (char *)&r == 4);
    assert((char *)&r.c - (char *)&r.a == 8);
    assert((char *)&numbers[3] - (char *)numbers == 12);
    assert(&numbers[3] - numbers == 3);
    assert(row - matrix == 2);
    assert(*row - *matrix == 8);
    return 0;
}
