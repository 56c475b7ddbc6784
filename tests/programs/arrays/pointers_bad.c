// expect: unsafe
// Frees all blocks of an array of pointers but the first.
#include <stdlib.h>

int main(void)
{
    int *table[3];
    for (int i = 0; i < 3; i++) {
        table[i] = malloc(sizeof(int));
        *table[i] = i;
    }
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            free(table[i]);
    }
    return 0; // BAD: leak
}
