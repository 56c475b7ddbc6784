// expect: unknown
// gcc: no other definition
// A weak function that no file defines may be null.
__attribute__((weak)) int hook(void);

int main(void)
{
    return hook();
}
