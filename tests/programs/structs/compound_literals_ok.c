// expect: safe
#include <assert.h>

struct pair {
    int first;
    int *second;
};

static struct pair *global = &(struct pair){1, 0};
static int *numbers = (int[]){1, 2, 3};

static int first(const struct pair *pair)
{
    return pair->first;
}

int main(void)
{
    int *own = (int[2]){8, 9};
    own[0]++;
    assert(global->first == 1 && numbers[2] == 3 && own[0] == 9 && own[1] == 9);
    assert(first(&(struct pair){.first = 7}) == 7);
    for (int i = 0; i < 3; i++) {
        int *fresh = (int[]){i, 5};
        assert(fresh[0] == i);
        fresh[0] = 17;
    }
    global->first++;
    assert(((struct pair){global->first, own}).second[0] == 9);
    return 0;
}
