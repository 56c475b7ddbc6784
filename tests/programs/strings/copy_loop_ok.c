// expect: safe
// A copying loop of our own, with room for the final zero.
#include <stdlib.h>

static int length(const char *s)
{
    int n = 0;
    while (*s++)
        n++;
    return n;
}

int main(void)
{
    const char *from = "xyz";
    char *to = malloc(length(from) + 1);
    char *p = to;
    while ((*p = *from) != 0) {
        p++;
        from++;
    }
    free(to);
    return 0;
}
