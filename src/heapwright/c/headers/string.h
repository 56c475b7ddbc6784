/* Strings and blocks of memory. */
#ifndef HEAPWRIGHT_STRING_H
#define HEAPWRIGHT_STRING_H

typedef __SIZE_TYPE__ size_t;

#undef NULL
#define NULL ((void *)0)

void *memcpy(void *target, const void *source, size_t size);
void *memmove(void *target, const void *source, size_t size);
void *mempcpy(void *target, const void *source, size_t size);
void *memset(void *target, int byte, size_t size);
int memcmp(const void *left, const void *right, size_t size);
void *memchr(const void *block, int byte, size_t size);
void *memrchr(const void *block, int byte, size_t size);
void *memmem(const void *block, size_t size, const void *part, size_t length);

size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
char *strcpy(char *target, const char *source);
char *strncpy(char *target, const char *source, size_t size);
char *stpcpy(char *target, const char *source);
char *stpncpy(char *target, const char *source, size_t size);
size_t strlcpy(char *target, const char *source, size_t size);
size_t strlcat(char *target, const char *source, size_t size);
char *strcat(char *target, const char *source);
char *strncat(char *target, const char *source, size_t size);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t size);
int strcoll(const char *left, const char *right);
size_t strxfrm(char *target, const char *source, size_t size);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
char *strchrnul(const char *text, int character);
char *strcasestr(const char *text, const char *part);
char *strstr(const char *text, const char *part);
char *strpbrk(const char *text, const char *accept);
size_t strspn(const char *text, const char *accept);
size_t strcspn(const char *text, const char *reject);
char *strtok(char *text, const char *separators);
char *strtok_r(char *text, const char *separators, char **rest);
char *strsep(char **text, const char *separators);
char *strdup(const char *text);
char *strndup(const char *text, size_t size);
char *strerror(int number);
int strerror_r(int number, char *buffer, size_t size);
char *strsignal(int number);

int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t size);

#endif
