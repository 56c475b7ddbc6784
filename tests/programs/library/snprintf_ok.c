// expect: safe
// snprintf cuts what it writes and returns the length that it would have had.
#include <assert.h>
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[4] = "zzz";
    int number = __VERIFIER_nondet_int();
    int n = snprintf(text, sizeof text, "%s", "hello");
    assert(n == 5 && strcmp(text, "hel") == 0);
    n = snprintf(NULL, 0, "%d", number);
    assert(n >= 1 && n <= 11);
    n = snprintf(text, sizeof text, "%d", number);
    assert(strlen(text) <= 3);
    return 0;
}
