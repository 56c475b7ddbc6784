/* Parts of file names. */
#ifndef HEAPWRIGHT_LIBGEN_H
#define HEAPWRIGHT_LIBGEN_H
char *basename(char *name);
char *dirname(char *name);
#endif
