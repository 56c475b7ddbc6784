// expect: unsafe
// The innermost activation leaves its local variable's address behind.
static int *deep;

static void dive(int n)
{
    int local = n;
    if (n == 0)
        deep = &local;
    else
        dive(n - 1);
}

int main(void)
{
    dive(2);
    return *deep; // BAD: invalid-deref
}
