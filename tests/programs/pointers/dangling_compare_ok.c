// expect: safe
// A freed block keeps its identity towards those that lived beside it.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *a = malloc(sizeof(int));
    int *b = malloc(sizeof(int));
    int *copy = a;
    free(a);
    assert(copy != b && copy != NULL);
    free(b);
    return 0;
}
