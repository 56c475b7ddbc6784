// expect: safe
// A flexible array member at the end of a heap object.
#include <stdlib.h>

struct packet {
    int length;
    int data[];
};

int main(void)
{
    struct packet *p = malloc(sizeof(struct packet) + 2 * sizeof(int));
    p->length = 2;
    for (int i = 0; i < p->length; i++)
        p->data[i] = i;
    free(p);
    return 0;
}
