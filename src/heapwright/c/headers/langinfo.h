/* Words of the locale. */
#ifndef HEAPWRIGHT_LANGINFO_H
#define HEAPWRIGHT_LANGINFO_H
#define CODESET 14
char *nl_langinfo(int item);
#endif
