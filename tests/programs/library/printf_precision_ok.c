// expect: safe
// A precision bounds what is read: the characters need no end.
#include <stdio.h>

int main(void)
{
    char letters[3] = {'a', 'b', 'c'};
    int most = 3;
    printf("%.3s %.*s%%\n", letters, most, letters);
    return 0;
}
