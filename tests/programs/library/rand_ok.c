// expect: safe
// Numbers that are never negative, characters that fit into a byte, and remainders as indices.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int dice[6] = {0};
    int character = getchar();
    dice[rand() % 6] = 1;
    dice[(unsigned)rand() % 6u] = 2;
    assert(rand() >= 0 && random() >= 0);
    assert(character == EOF || (character >= 0 && character < 256));
    return 0;
}
