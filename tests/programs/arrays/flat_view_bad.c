// expect: unsafe
// A matrix seen as one array of its elements, one too far; and an index of a row beyond the row.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x[3][4] = {{0}};
    int *all = (int *)x;
    if (__VERIFIER_nondet_int())
        return all[12]; // BAD: bounds
    int j = 4;
    return x[1][j]; // BAD: bounds
}
