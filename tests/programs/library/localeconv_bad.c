// expect: unsafe
// options: --states 1000
// gcc: no its library has no separator in the locale of C
// There is always a structure with texts, of which nothing more is known.
#include <assert.h>
#include <locale.h>
#include <stddef.h>

int main(void)
{
    struct lconv *locale = localeconv();
    assert(locale != NULL);
    char separator = locale->thousands_sep[0];
    assert(separator == 0); // BAD: assert
    return 0;
}
