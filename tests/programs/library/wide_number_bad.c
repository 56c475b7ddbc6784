// expect: unsafe
#include <wchar.h>

int main(void)
{
    int cells[26] = {0};
    cells[wcstoul(L"26", NULL, 10)] = 1; // BAD: bounds
    return cells[0];
}
