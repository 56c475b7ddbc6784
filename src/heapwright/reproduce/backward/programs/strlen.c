/* The length of a string: the position of the first zero byte. */

int length(const char *s)
{
    int i = 0;

    while (s[i] != '\0')
        i++;
    return i;
}
