// expect: unsafe
// gcc: no its library returns one of the values that the standard allows
// Of a comparison the standard determines the sign, of a class of characters whether it is 0.
#include <assert.h>
#include <ctype.h>
#include <string.h>

int main(int argc, char **argv)
{
    char left[2] = "b", right[2] = "a";
    int order = strcmp(left, right);
    int digit = isdigit('5');
    if (argc > 2)
        assert(order == 1); // BAD: assert
    else if (argc > 1)
        assert(digit > 0); // BAD: assert
    assert(strcmp(left, right) > 0 && memcmp(left, right, 1) != 0 && isalpha(left[0]));
    assert(order > 0 && digit != 0);
    return 0;
}
