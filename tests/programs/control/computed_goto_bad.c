// expect: unsafe
// gcc: no line is known of a jump to nowhere
// The table has no label for the last instruction.
int main(void)
{
    void *table[3] = {&&first, &&second};
    int i = 0;
    goto *table[i];
first:
    i = 1;
    goto *table[i];
second:
    i = 2;
    goto *table[i]; // BAD: null-deref
}
