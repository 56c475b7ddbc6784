// expect: safe
// An array of pointers to heap blocks.
#include <stdlib.h>

int main(void)
{
    int *table[3];
    for (int i = 0; i < 3; i++) {
        table[i] = malloc(sizeof(int));
        *table[i] = i;
    }
    for (int i = 0; i < 3; i++) {
        free(table[i]);
    }
    return 0;
}
