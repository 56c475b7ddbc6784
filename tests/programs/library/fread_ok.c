// expect: safe
#include <assert.h>
#include <stdio.h>

struct pair {
    int a;
    char b;
};

int main(void)
{
    char bytes[2] = {1, 1};
    struct pair pair = {1, 2};
    size_t done = fread(bytes, 1, sizeof bytes, stdin);
    assert(done <= 2);
    if (done == 0)
        assert(bytes[0] == 1);
    if (fread(&pair, sizeof pair, 1, stdin) == 0)
        assert(pair.a == 1);
    fwrite(&pair, sizeof pair, 1, stdout);
    fwrite("text", 1, 4, stdout);
    return 0;
}
