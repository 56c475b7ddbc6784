// expect: safe
// What is read has the form that the function promises: lines end with their newline, words have no spaces.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4], word[3], digits[3], *newline;
    if (fgets(line, sizeof line, stdin)) {
        newline = strchr(line, '\n');
        assert(newline == NULL || newline[1] == 0);
    }
    if (scanf("%2s", word) == 1)
        assert(word[0] != ' ' && word[0] != '\n' && strlen(word) >= 1 && strlen(word) <= 2);
    if (scanf("%2[0-9]", digits) == 1)
        assert(digits[0] >= '0' && digits[0] <= '9');
    return 0;
}
