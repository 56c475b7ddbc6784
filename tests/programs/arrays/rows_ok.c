// expect: safe
// Pointers to rows of a matrix, and rows as arrays.
#include <assert.h>

int main(void)
{
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int(*row)[3] = m;
    row++;
    assert((*row)[2] == 6 && m[1][0] == 4);
    int *flat = m[0];
    assert(flat[2] == 3);
    return 0;
}
