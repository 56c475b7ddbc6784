// expect: unsafe
// The index of a row of a variable length is beyond the row, though not beyond the array.
static int at(int n, int m, int a[n][m], int i, int j)
{
    return a[i][j]; // BAD: bounds
}

int main(void)
{
    int n = 3, m = 4;
    int a[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = 1;
    return at(n, m, a, 1, 4);
}
