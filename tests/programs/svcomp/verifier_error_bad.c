// expect: unsafe
// The older name of the error function, and nondeterministic values of other types.
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_error(void);

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint();
    char c = __VERIFIER_nondet_char();
    if (u == 3 && c == 'a')
        __VERIFIER_error(); // BAD: assert
    return 0;
}
