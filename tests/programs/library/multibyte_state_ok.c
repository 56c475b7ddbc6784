// expect: safe
// A text becomes wide and narrow again, piece by piece.
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    const char *text = "list";
    mbstate_t state;
    wchar_t *wide = malloc(5 * sizeof *wide);
    char narrow[5];
    const wchar_t *rest = wide;
    memset(&state, 0, sizeof state);
    if (mbsrtowcs(wide, &text, 5, &state) != 4 || text != NULL)
        *(int *)0 = 1;
    if (!mbsinit(&state) || wcsrtombs(narrow, &rest, sizeof narrow, &state) != 4 || rest != NULL)
        *(int *)0 = 2;
    if (narrow[3] != 't' || mbrlen(narrow, 1, &state) != 1 || wcrtomb(narrow, L'x', &state) != 1)
        *(int *)0 = 3;
    free(wide);
    return 0;
}
