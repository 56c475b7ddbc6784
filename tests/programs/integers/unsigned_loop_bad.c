// expect: unsafe
// An unsigned index is never negative: the loop runs below the array.
int main(void)
{
    int a[3] = {1, 2, 3};
    int sum = 0;
    for (unsigned i = 2; i >= 0; i--)
        sum += a[i]; // BAD: bounds
    return sum;
}
