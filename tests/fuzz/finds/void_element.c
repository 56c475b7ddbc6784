// front end: crash: elements of void, which GNU C has
#include <stdlib.h>
int main(void) { void *p = malloc(4); void *q = &p[2]; (void)*p; free(p); return q == 0; }
