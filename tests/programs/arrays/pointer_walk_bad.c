// expect: unsafe
// The pointer is dereferenced one behind the end.
#include <assert.h>

int main(void)
{
    int a[] = {5, 6, 7};
    int last = 0;
    for (int *p = a; p <= a + 3; p++)
        last = *p; // BAD: bounds
    assert(last == 7);
    int *q = &a[2];
    assert(q - a == 2 && q[-1] == 6 && *(q - 2) == 5);
    return 0;
}
