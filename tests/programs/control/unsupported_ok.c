// expect: safe
// No run comes to setjmp, to the thread or to the assembler.
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf place;

static void *work(void *block)
{
    free(block);
    return NULL;
}

static int rare(int how, int *block)
{
    pthread_t thread;
    if (how == 3)
        return setjmp(place);
    if (how == 4)
        pthread_create(&thread, NULL, work, block);
    while (how == 5 && setjmp(place))
        free(block);
    if (how == 6)
        __asm__ volatile("int3");
    return *block;
}

int main(void)
{
    int *block = calloc(1, sizeof *block);
    int result = rare(1, block) + rare(2, block);
    free(block);
    return result;
}
