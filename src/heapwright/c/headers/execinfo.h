/* Call stacks. */
#ifndef HEAPWRIGHT_EXECINFO_H
#define HEAPWRIGHT_EXECINFO_H
int backtrace(void **addresses, int count);
char **backtrace_symbols(void *const *addresses, int count);
void backtrace_symbols_fd(void *const *addresses, int count, int descriptor);
#endif
