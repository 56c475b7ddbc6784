// expect: unsafe
// gcc: no sanitizers do not watch wcscpy
// Room is counted in bytes where it has to be counted in wide characters.
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
    wchar_t *copy = malloc(wcslen(L"abcd") + 8);
    wcscpy(copy, L"abcd"); // BAD: bounds
    free(copy);
    return 0;
}
