// expect: safe
// The bytes of a struct that begins with a character, and a block of bytes that becomes such a struct.
#include <stdlib.h>

struct key {
    char kind;
    char rest[3];
};

int main(void)
{
    struct key *key = malloc(sizeof *key);
    const char *bytes = (const char *)key;
    char *raw = malloc(sizeof(struct key));
    struct key *other = (struct key *)raw;
    unsigned i, sum = 0;
    key->kind = 1;
    key->rest[0] = key->rest[1] = key->rest[2] = 2;
    for (i = 0; i < sizeof *key; i++)
        sum += (unsigned char)bytes[i];
    other->kind = (char)sum;
    free(key);
    free(raw);
    return 0;
}
