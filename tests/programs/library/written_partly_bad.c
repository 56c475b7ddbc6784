// expect: unsafe
// gcc: no a pipe or file takes the whole text
// write may write less than it is handed.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    char text[4] = "abc";
    long written = write(1, text, 3);
    if (written < 0)
        return 1;
    assert(written == 3); // BAD: assert
    return 0;
}
