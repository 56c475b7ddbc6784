/* Mapping of files into memory. */
#ifndef HEAPWRIGHT_SYS_MMAN_H
#define HEAPWRIGHT_SYS_MMAN_H
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FAILED ((void *)-1)
void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset);
int munmap(void *address, size_t size);
int mprotect(void *address, size_t size, int protection);
int msync(void *address, size_t size, int flags);
int madvise(void *address, size_t size, int advice);
#endif
