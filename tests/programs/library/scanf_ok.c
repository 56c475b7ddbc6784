// expect: safe
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int value = 0;
    char word[4];
    int done = scanf("%d %3s", &value, word);
    assert(done >= -1 && done <= 2);
    if (done < 1)
        assert(value == 0);
    if (done == 2)
        assert(word[0] != 0);
    return 0;
}
