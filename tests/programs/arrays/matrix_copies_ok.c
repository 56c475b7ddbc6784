// expect: safe
// Whole matrices are copied to and from plain arrays.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int x[3][4], y[12];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            x[i][j] = 10 * i + j;
    memcpy(y, x, sizeof y);
    assert(y[7] == 13);
    int *z = malloc(sizeof x);
    if (!z)
        return 1;
    memcpy(z, x, sizeof x);
    assert(z[11] == 23);
    memset(x, 0, sizeof x);
    assert(x[2][3] == 0);
    memcpy(x, z, sizeof x);
    memcpy(x[1], z, 2 * sizeof x[0]);
    assert(x[2][3] == 13 && x[0][3] == 3);
    free(z);
    return 0;
}
