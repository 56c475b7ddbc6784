// expect: unsafe
// The association of `const int *` is chosen, which is null.
#include <stddef.h>

int main(void)
{
    int value = 1;
    const int *pointer = &value;
    int *mine = &value, *null = NULL;
    return *_Generic(pointer, int *: mine, const int *: null); // BAD: null-deref
}
