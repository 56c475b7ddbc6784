// expect: unknown
// options: --property unreach-call
// gcc: no the check that fails is not selected
// The store behind the array ends every run before the call.
extern void reach_error(void);

int main(void)
{
    int cells[2];
    int place = 2;
    cells[place] = 1;
    if (cells[0] != cells[0])
        reach_error();
    return 0;
}
