// expect: safe
#include <wctype.h>

int main(void)
{
    if (!iswctype(L'7', wctype("digit")) || iswctype(L'x', wctype("space")))
        *(int *)0 = 1;
    return towctrans(L'A', wctrans("tolower")) == L'a' ? 0 : *(int *)0;
}
