// expect: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4] = "abc";
    if (fgets(line, sizeof line, stdin) == NULL)
        assert(line[0] == 'a');
    assert(strlen(line) < sizeof line);
    return 0;
}
