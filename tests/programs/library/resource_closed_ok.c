// expect: safe
// options: --property resource-leak --property valid-memsafety
#include <dirent.h>
#include <stdio.h>

static FILE *kept;

int main(void)
{
    FILE *file = fopen("data", "r");
    DIR *directory = opendir(".");

    kept = fopen("log", "a");
    if (directory != NULL)
        closedir(directory);
    if (file == NULL)
        return 1;
    fclose(file);
    return 0;
}
