/* Directories: objects of the environment, which end when they are closed. An entry is kept until the next one is read. */
#include "intrinsics.h"
#include <dirent.h>

struct heapwright_directory {
    struct dirent entry;
};

static void use(DIR *directory)
{
    long place = directory->entry.d_off;
    (void)place;
}

DIR *opendir(const char *name)
{
    DIR *directory;
    strlen(name);
    if (hw_model_input_between(0, 1))
        return NULL;
    directory = hw_model_environment(sizeof(struct heapwright_directory));
    directory->entry.d_off = 0;
    return directory;
}

struct dirent *readdir(DIR *directory)
{
    use(directory);
    if (hw_model_input_between(0, 1))
        return NULL;
    directory->entry.d_ino = hw_model_input_unsigned_long();
    directory->entry.d_off = hw_model_input_long();
    directory->entry.d_reclen = hw_model_input_unsigned_short();
    directory->entry.d_type = hw_model_input_unsigned_char();
    hw_model_input_set(directory->entry.d_name, 255, 255, "^");
    return &directory->entry;
}

void rewinddir(DIR *directory)
{
    use(directory);
}

int closedir(DIR *directory)
{
    if (directory == NULL)
        use(directory);
    hw_model_end(directory);
    return hw_model_input_between(-1, 0);
}
