// expect: unsafe
// A copying loop of our own, without room for the final zero.
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
    char *to = malloc(length(from));
    char *p = to;
    while ((*p = *from) != 0) { // BAD: bounds
        p++;
        from++;
    }
    free(to);
    return 0;
}
