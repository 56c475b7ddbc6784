/* Libraries that are loaded at run time. */
#ifndef HEAPWRIGHT_DLFCN_H
#define HEAPWRIGHT_DLFCN_H
#define RTLD_LAZY 1
#define RTLD_NOW 2
void *dlopen(const char *name, int flags);
void *dlsym(void *library, const char *name);
char *dlerror(void);
int dlclose(void *library);
#endif
