// expect: unsafe
// explore: unknown
// gcc: no its library returns small numbers only some of the time
// A quotient of an input is approximated; with a number in place of the input it is not, and the loop goes on.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    for (int i = 0; i < 2; i++) {
        double half;
        half = rand() / 2.0;
        assert(half < 5.0); // BAD: assert
    }
    return 0;
}
