// expect: unknown
// gcc: no a compiled program reads what happens to be in a register
// A format that is not a literal, with a conversion: what is read for it is not known.
#include <stdio.h>
int main(int argc, char **argv)
{
    const char *format = argc > 1 ? "%s" : "x";
    printf(format);
    return 0;
}
