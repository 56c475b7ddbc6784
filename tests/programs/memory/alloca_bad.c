// expect: unsafe
// What alloca gives ends with the function.
// gcc: no the sanitizer does not watch alloca after the function's end
#include <alloca.h>

static int *make(void)
{
    int *p = alloca(sizeof(int));
    *p = 1;
    return p;
}

int main(void)
{
    int *p = make();
    return *p - 1; // BAD: invalid-deref
}
