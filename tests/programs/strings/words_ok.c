// expect: safe
// A table of strings, searched by name.
#include <assert.h>
#include <string.h>

static const char *const names[] = {"add", "sub", "mul"};

static int find(const char *name)
{
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(names[i], name))
            return (int)i;
    return -1;
}

int main(void)
{
    assert(find("sub") == 1);
    assert(find("div") == -1);
    return 0;
}
