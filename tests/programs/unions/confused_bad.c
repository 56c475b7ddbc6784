// expect: unsafe
// Writing the number scrambles the pointer.
union value {
    long number;
    int *pointer;
};

int main(void)
{
    int x = 1;
    union value v;
    v.pointer = &x;
    v.number = 8;
    return *v.pointer; // BAD: invalid-deref
}
