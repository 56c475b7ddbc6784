// expect: safe
// Classes of characters, and numbers from text.
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    assert(isdigit('7') && !isdigit('a') && isalpha('x') && isspace('\n') && toupper('b') == 'B');
    assert(atoi(" -42x") == -42 && abs(-3) == 3);
    assert(memcmp("abc", "abd", 3) < 0 && memchr("abc", 'c', 3) != NULL);
    assert(strstr("hello", "ll") != NULL && strrchr("aba", 'a')[0] == 'a');
    return 0;
}
