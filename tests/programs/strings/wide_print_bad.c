// expect: unsafe
// gcc: no sanitizers do not watch wprintf
// The wide string that is printed has no end.
#include <wchar.h>

int main(void)
{
    wchar_t word[3];
    wmemset(word, L'w', 3);
    wprintf(L"%ls\n", word); // BAD: bounds
    return 0;
}
