// expect: safe
// memmove copies as if through a buffer of its own, in either direction.
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[6] = "abcde";
    memmove(text + 1, text, 4);
    assert(text[0] == 'a' && text[1] == 'a' && text[2] == 'b' && text[4] == 'd');
    memmove(text, text + 1, 4);
    assert(text[0] == 'a' && text[1] == 'b' && text[3] == 'd' && text[4] == 'd');
    return 0;
}
