// expect: unsafe
// An assertion function of the program's own.
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

void __VERIFIER_assert(int condition)
{
    if (!condition)
        __VERIFIER_error(); // BAD: assert
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(x != 2);
    return 0;
}
