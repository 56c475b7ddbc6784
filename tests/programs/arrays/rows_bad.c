// expect: unsafe
// The second index runs over the end of the row into the next one.
int main(void)
{
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int sum = 0;
    for (int j = 0; j <= 3; j++)
        sum += m[0][j]; // BAD: bounds
    return sum;
}
