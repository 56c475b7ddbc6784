// expect: unsafe
// gcc: no it reads nothing from the standard input
// options: --states 3000
// A file says how many records follow, and nobody asks whether they have room.
#include <stdio.h>

struct header {
    unsigned char version, records;
};

int main(void)
{
    struct header header;
    short record[40];
    int i;
    if (fread(&header, sizeof header, 1, stdin) != 1 || header.version != 2)
        return 1;
    for (i = 0; i < header.records; i++)
        if (fread(&record[i], sizeof record[i], 1, stdin) != 1) // BAD: bounds
            return 1;
    return 0;
}
