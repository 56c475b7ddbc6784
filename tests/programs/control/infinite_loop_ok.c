// expect: safe
// A server never returns, and nothing that it holds is lost; finitely many states are all that there are.
// gcc: no it never ends
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int *session = NULL;
    for (;;) {
        if (session) {
            free(session);
            session = NULL;
        } else if (__VERIFIER_nondet_bool()) {
            session = malloc(sizeof *session);
            *session = 0;
        }
    }
}
