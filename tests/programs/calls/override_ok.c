// expect: safe
// A function that the program defines counts, not the built-in one of that name.
// gcc: no the linker would take this function for the library's as well
#include <assert.h>
#include <stddef.h>

size_t strlen(const char *text)
{
    return text[0] == 'x' ? 100 : 0;
}

int main(void)
{
    assert(strlen("xy") == 100);
    return 0;
}
