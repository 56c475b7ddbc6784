// expect: safe
// An array too long to be taken apart, with an index that is an input.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int table[100];
    int i = __VERIFIER_nondet_int();
    if (!(i < 3 || i > 97))
        return 0;
    if (i >= 0 && i < 100)
        table[i] = 1;
    return 0;
}
