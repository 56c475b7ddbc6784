// expect: unsafe
// options: --property unreach-call
// The error function can be reached.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 3 && x < 6);
    if (x < 5)
        reach_error(); // BAD: assert
    return 0;
}
