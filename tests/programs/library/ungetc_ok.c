// expect: safe
// A character that is pushed back is read again, in an open stream and in the standard input.
#include <assert.h>
#include <stdio.h>

static void twice(FILE *stream)
{
    int first = fgetc(stream);
    if (first != EOF && ungetc(first, stream) != EOF)
        assert(getc(stream) == first);
}

int main(void)
{
    FILE *file = fopen("text", "r");
    twice(stdin);
    if (file != NULL) {
        twice(file);
        fclose(file);
    }
    return 0;
}
