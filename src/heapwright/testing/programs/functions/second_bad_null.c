// expect: unsafe
// options: --function second
// The list that a caller passes may have one node alone.
struct node {
    struct node *next;
    int value;
};

int second(struct node *list)
{
    if (!list)
        return 0;
    return list->next->value; // BAD: null-deref
}
