// expect: safe
// String literals, character arrays and the functions of string.h.
#include <assert.h>
#include <string.h>

int main(void)
{
    char buffer[8];
    const char *word = "abc";
    strcpy(buffer, word);
    assert(strlen(buffer) == 3 && buffer[3] == '\0');
    strcat(buffer, "de");
    assert(strcmp(buffer, "abcde") == 0 && strncmp(buffer, "abx", 2) == 0);
    assert(strchr(buffer, 'c') == buffer + 2 && !strchr(buffer, 'z'));
    assert(sizeof "four" == 5 && word[1] == 'b');
    return 0;
}
