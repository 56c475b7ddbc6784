// expect: safe
// A wide number and what stands behind it.
#include <wchar.h>

int main(void)
{
    int cells[30] = {0};
    wchar_t *end;
    long index = wcstol(L" 0x1b; rest", &end, 0);
    cells[index] = 1;
    return end[0] == L';' ? cells[27] - 1 : *(int *)0;
}
