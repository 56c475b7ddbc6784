/* Tables and trees of the library. */
#ifndef HEAPWRIGHT_SEARCH_H
#define HEAPWRIGHT_SEARCH_H
#include <stddef.h>
typedef enum { FIND, ENTER } ACTION;
typedef struct entry {
    char *key;
    void *data;
} ENTRY;
typedef enum { preorder, postorder, endorder, leaf } VISIT;
int hcreate(size_t count);
ENTRY *hsearch(ENTRY item, ACTION action);
void hdestroy(void);
void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *));
void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *));
#endif
