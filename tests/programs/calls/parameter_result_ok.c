// expect: safe
// A recursive function with parameters that are called like what the lowering needs.
int find(int *result, int site)
{
    if (site == 0) {
        *result = 7;
        return 1;
    }
    return find(result, site - 1);
}

int main(void)
{
    int value = 0;
    int found = find(&value, 2);
    return found && value == 7 ? 0 : *(int *)0;
}
