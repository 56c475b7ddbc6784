// expect: unsafe
// On one path the pointer was never set.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int x = 0;
    int *p;
    if (__VERIFIER_nondet_bool())
        p = &x;
    *p = 1; // BAD: invalid-deref
    return 0;
}
