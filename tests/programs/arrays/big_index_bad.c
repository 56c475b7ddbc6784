// expect: unsafe
// The index is an input that may be negative.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int table[100];
    int i = __VERIFIER_nondet_int();
    if (!(i < 3 || i > 97))
        return 0;
    if (i < 100)
        table[i] = 1; // BAD: bounds
    return 0;
}
