// expect: safe
// options: --function swap
// Fields of one object of any heap are written; aliases are allowed.
struct node {
    struct node *next;
    int value;
};

void swap(struct node *one, struct node *other)
{
    if (!one || !other)
        return;
    struct node *kept = one->next;
    one->next = other->next;
    other->next = kept;
}
