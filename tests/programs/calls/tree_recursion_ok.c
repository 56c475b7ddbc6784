// expect: safe
// Functions that call themselves twice, also in the arguments of a call.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct tree {
    struct tree *left, *right;
    char name[4];
    int value;
};

static struct tree *make(int value, const char *name)
{
    struct tree *t = calloc(1, sizeof *t);
    t->value = value;
    strncpy(t->name, name, 3);
    return t;
}

static int depth(const struct tree *t)
{
    if (!t)
        return 0;
    int a = depth(t->left), b = depth(t->right);
    return 1 + (a > b ? a : b);
}

static struct tree *find(struct tree *t, const char *name)
{
    if (!t || strcmp(t->name, name) == 0)
        return t;
    struct tree *found = find(t->left, name);
    return found ? found : find(t->right, name);
}

static void destroy(struct tree *t)
{
    if (t) {
        destroy(t->left);
        destroy(t->right);
        free(t);
    }
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    struct tree *t = make(1, "a");
    t->left = make(2, "bcd");
    t->right = make(3, "e");
    t->right->left = make(4, "f");
    assert(depth(t) == 3);
    assert(find(t, "f")->value == 4 && find(t, "bcd")->value == 2 && !find(t, "x"));
    destroy(t);
    assert(fibonacci(6) == 8 && ackermann(1, 2) == 4);
    return 0;
}
