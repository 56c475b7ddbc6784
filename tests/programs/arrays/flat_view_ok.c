// expect: safe
// explore: unknown
// A matrix seen as one array of its elements.
#include <assert.h>

int main(void)
{
    int x[3][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            x[i][j] = 10 * i + j;
    int *all = (int *)x;
    assert(all[7] == 13);
    all[11] = 5;
    assert(x[2][3] == 5);
    return 0;
}
