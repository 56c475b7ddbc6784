// expect: safe
#include <dirent.h>
#include <stddef.h>

int main(void)
{
    DIR *directory = opendir(".");

    if (directory == NULL)
        return 1;
    rewinddir(directory);
    return closedir(directory);
}
