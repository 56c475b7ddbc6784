// expect: unsafe
// Writing the number loses the pointer that was there.
#include <stdlib.h>

union cell {
    int *pointer;
    long number;
};

int main(void)
{
    union cell cell;
    cell.pointer = malloc(sizeof(int));
    cell.number = 0; // BAD: leak
    return 0;
}
