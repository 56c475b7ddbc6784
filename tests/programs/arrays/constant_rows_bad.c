// expect: unsafe
// A parameter of variable lengths is an array of constant lengths with too few rows.
static int at(int n, int m, int a[n][m], int i, int j)
{
    return a[i][j]; // BAD: bounds
}

int main(void)
{
    int x[3][4] = {{0}};
    return at(4, 4, x, 3, 0);
}
