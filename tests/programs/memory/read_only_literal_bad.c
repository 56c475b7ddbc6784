// expect: unsafe
// gcc: no it is a signal without a report
#include <stdlib.h>

int main(void)
{
    char *s = "abc";
    s[0] = 'x'; // BAD: invalid-deref
    return 0;
}
