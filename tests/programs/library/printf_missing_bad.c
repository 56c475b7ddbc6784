// expect: unsafe
// gcc: no it reads what happens to be there
#include <stdio.h>

int main(void)
{
    printf("%s %d\n", "one"); // BAD: invalid-deref
    return 0;
}
