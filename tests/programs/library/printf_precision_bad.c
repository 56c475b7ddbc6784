// expect: unsafe
#include <stdio.h>

int main(void)
{
    char letters[3] = {'a', 'b', 'c'};
    printf("%.4s\n", letters); // BAD: bounds
    return 0;
}
