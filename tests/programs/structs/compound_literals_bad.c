// expect: unsafe
// The object of a compound literal ends with the block around it.
int main(void)
{
    int *kept = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            return *kept; // BAD: invalid-deref
        kept = (int[]){i, 1};
    }
    return 0;
}
