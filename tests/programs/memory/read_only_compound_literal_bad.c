// expect: unsafe
// gcc: no a compiler may put the object into memory that can be written
// An object whose type is const is read-only, a compound literal too.
static const int *first(const int *numbers) { return numbers; }

int main(void)
{
    const int *numbers = (const int[]){1, 2};
    int *others = (int[]){3, 4};
    others[0] = *first(numbers);
    *(int *)numbers = 2; // BAD: invalid-deref
    return 0;
}
