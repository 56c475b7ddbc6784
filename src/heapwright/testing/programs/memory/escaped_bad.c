// expect: unsafe
// The address of a local variable outlives it.
struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *kept;
    {
        struct node local;
        kept = &local;
    }
    kept->value = 1; // BAD: invalid-deref
    return 0;
}
