// expect: unsafe
// gcc: no a C library has no source line for it
#include <dirent.h>
#include <stddef.h>

int main(void)
{
    DIR *directory = opendir(".");

    if (directory == NULL)
        return 1;
    closedir(directory);
    return readdir(directory) == NULL; // BAD: use-after-free
}
