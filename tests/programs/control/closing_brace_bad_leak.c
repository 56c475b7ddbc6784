// expect: unsafe
// A function without a return statement ends at its closing brace.
#include <stdlib.h>

static void lose(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
} // BAD: leak

int main(void)
{
    lose();
}
