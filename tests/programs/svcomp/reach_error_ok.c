// expect: safe
// options: --property unreach-call
// The error function cannot be reached.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 3 && x < 6);
    if (x < 4)
        reach_error();
    return 0;
}
