// expect: safe
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[] = "ab,,c";
    char *token = strtok(text, ",");
    assert(strcmp(token, "ab") == 0);
    token = strtok(NULL, ",");
    assert(strcmp(token, "c") == 0);
    assert(strtok(NULL, ",") == NULL);
    assert(strcasecmp("aBc", "AbC") == 0);
    return 0;
}
