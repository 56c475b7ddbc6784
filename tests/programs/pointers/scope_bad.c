// expect: unsafe
// The address of a variable outlives its block.
int main(void)
{
    int *p;
    {
        int inner = 1;
        p = &inner;
        *p = 2;
    }
    *p = 3; // BAD: invalid-deref
    return 0;
}
