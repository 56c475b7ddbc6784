// expect: safe
// What is not defined const can be written: through a pointer to const, in a compound literal, an array of characters,
// a const member of an allocated struct.
#include <assert.h>
#include <stdlib.h>

struct tagged {
    const int tag;
    int value;
};

int main(void)
{
    char text[] = "abc";
    const char *view = text;
    int *numbers = (int[]){1, 2};
    struct tagged *t = malloc(sizeof *t);
    ((char *)view)[0] = 'x';
    numbers[0] = 3;
    *(int *)&t->tag = 7;
    t->value = 8;
    for (int i = 0; i < 2; i++) {
        const int copy = i;
        const int *p = &copy;
        assert(*p == i);
    }
    assert(text[0] == 'x' && numbers[0] == 3 && t->tag == 7);
    free(t);
    return 0;
}
