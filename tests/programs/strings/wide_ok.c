// expect: safe
// Wide strings: literals, arrays that they initialise, and the functions of wchar.h.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
    wchar_t word[6] = L"ab";
    wchar_t *copy = malloc(4 * sizeof(wchar_t));
    wcscpy(copy, L"xyz");
    assert(word[1] == L'b' && word[2] == 0 && word[5] == 0);
    assert(sizeof L"xyz" == 4 * sizeof(wchar_t) && wcslen(copy) == 3);
    wcscat(word, copy);
    assert(wcslen(word) == 5 && word[4] == L'z' && wcscmp(word + 2, copy) == 0);
    wmemset(copy, L'-', 2);
    assert(*wcsrchr(copy, L'-') == copy[1]);
    wmemcpy(copy, word, 3);
    wprintf(L"%ls %.2ls %d %s\n", copy, word, 7, "narrow");
    printf("%ls%lc\n", word, L'!');
    free(copy);
    return 0;
}
