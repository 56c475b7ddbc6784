/* Functions that run when the program ends. */
#include "intrinsics.h"
#include <stdlib.h>

#define MOST 32

static void (*handlers[MOST])(void);
static int registered;

int atexit(void (*function)(void))
{
    if (registered == MOST) {
        hw_model_unmodelled();
        return 1;
    }
    handlers[registered] = function;
    registered++;
    return 0;
}

void hw_model_run_handlers(void)
{
    while (registered > 0) {
        registered--;
        handlers[registered]();
    }
}
