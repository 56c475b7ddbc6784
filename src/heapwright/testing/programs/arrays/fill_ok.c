// expect: safe
// Every cell of an array is written and read.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int cells[3];
    int sum = 0;
    for (int i = 0; i < 3; i++)
        cells[i] = i;
    int place = __VERIFIER_nondet_int();
    if (place >= 0 && place < 3)
        sum += cells[place];
    return sum;
}
