// expect: unsafe
#include <stdlib.h>

struct buffer { int length; int data[0]; };

int main(void)
{
    struct buffer *b = malloc(sizeof *b + 2 * sizeof(int));
    b->data[1] = 1;
    b->data[2] = 1; // BAD: bounds
    free(b);
    return 0;
}
