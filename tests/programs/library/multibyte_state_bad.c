// expect: unsafe
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    const char *text = "list";
    mbstate_t state;
    wchar_t *wide = malloc(4 * sizeof *wide);
    memset(&state, 0, sizeof state);
    mbsrtowcs(wide, &text, 5, &state); // BAD: bounds
    free(wide);
    return 0;
}
