// expect: safe
// Arrays of several variable lengths: declared, allocated, passed on, moved through row by row, and as parameters of
// arrays of constant lengths.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int sum(int n, int m, int a[n][m])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    return s;
}

static int lower_rows(int n, int m, int (*a)[m])
{
    int rest = sum(n - 1, m, a + 1) + sum(n - 1, m, &a[1]);
    m = 99;
    return rest + (int)sizeof *a;
}

int main(void)
{
    int x[2][3] = {{1, 2, 3}, {4, 5, 6}}, y[2][2] = {{1, 2}, {3, 4}};
    assert(sum(2, 3, x) == 21);
    assert(sum(2, 2, y) == 10);
    assert(lower_rows(2, 3, x) == 15 + 15 + 12);
    int n = 2, m = 3;
    int v[n][m];
    memcpy(v, x, sizeof v);
    n = 7;
    m = 2;
    assert(sizeof v == 24 && sizeof v[0] == 12);
    assert(sum(2, 3, v) == 21 && lower_rows(2, 3, v) == 15 + 15 + 12);
    typedef short row[m];
    row *p = calloc(n, sizeof(row));
    if (!p)
        return 1;
    for (row *end = p + n, *r = p; r < end; r++)
        (*r)[1] = (short)(r - p);
    assert(p[6][1] == 6 && p[5][0] == 0);
    free(p);
    int(*h)[m] = malloc(sizeof(int[n][m]));
    if (!h)
        return 1;
    h[6][1] = 4;
    assert(((int *)h)[13] == 4);
    free(h);
    for (int k = 1; k < 3; k++) {
        char deep[k][k + 1][2];
        deep[k - 1][k][1] = 'x';
        assert(deep[k - 1][k][1] == 'x' && sizeof deep == 2u * k * (k + 1));
    }
    return 0;
}
