/* The length of a string. Try
 *
 *     heapwright infer examples/string_length.c -f length
 *
 * which finds what the function asks of its callers: there must be a zero byte in the block that s points to.
 */

int length(const char *s)
{
    int i = 0;

    while (s[i] != '\0')
        i++;
    return i;
}
