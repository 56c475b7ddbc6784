void both(int *v, int *u)
{
    *u += *v;
}
void raw(void *m)
{
}
