// expect: unsafe
// An object points to a string literal, which may be read and not written.
#include <stdlib.h>

struct label {
    struct label *next;
    char *text;
};

int main(void)
{
    struct label *first = malloc(sizeof *first);
    if (!first)
        return 0;
    first->next = NULL;
    first->text = "ab";
    if (first->text[0] == 'a')
        first->text[1] = 'c'; // BAD: invalid-deref
    free(first);
    return 0;
}
