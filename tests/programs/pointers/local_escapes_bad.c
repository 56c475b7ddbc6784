// expect: unsafe
// The address of a local variable outlives the call.
static int *escape(void)
{
    int local = 1;
    int *p = &local;
    return p;
}

int main(void)
{
    int *p = escape();
    return *p; // BAD: invalid-deref
}
