/* Input and output. Streams are opaque. */
#ifndef HEAPWRIGHT_STDIO_H
#define HEAPWRIGHT_STDIO_H

typedef __SIZE_TYPE__ size_t;
typedef struct heapwright_file FILE;
typedef long fpos_t;
typedef __PTRDIFF_TYPE__ ssize_t;

#undef NULL
#define NULL ((void *)0)

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 10000
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int dprintf(int descriptor, const char *format, ...);
int sprintf(char *buffer, const char *format, ...);
int snprintf(char *buffer, size_t size, const char *format, ...);
int asprintf(char **result, const char *format, ...);
int vasprintf(char **result, const char *format, __builtin_va_list arguments);
int vdprintf(int descriptor, const char *format, __builtin_va_list arguments);
int vprintf(const char *format, __builtin_va_list arguments);
int vfprintf(FILE *stream, const char *format, __builtin_va_list arguments);
int vsprintf(char *buffer, const char *format, __builtin_va_list arguments);
int vsnprintf(char *buffer, size_t size, const char *format, __builtin_va_list arguments);
int scanf(const char *format, ...);
int fscanf(FILE *stream, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int vscanf(const char *format, __builtin_va_list arguments);
int vfscanf(FILE *stream, const char *format, __builtin_va_list arguments);
int vsscanf(const char *text, const char *format, __builtin_va_list arguments);

int getchar(void);
int getc(FILE *stream);
int fgetc(FILE *stream);
int ungetc(int character, FILE *stream);
char *fgets(char *buffer, int size, FILE *stream);
ssize_t getline(char **line, size_t *size, FILE *stream);
ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream);
int getchar_unlocked(void);
int getc_unlocked(FILE *stream);
int putchar_unlocked(int character);
int putc_unlocked(int character, FILE *stream);
int putchar(int character);
int putc(int character, FILE *stream);
int fputc(int character, FILE *stream);
int puts(const char *text);
int fputs(const char *text, FILE *stream);
size_t fread(void *buffer, size_t size, size_t count, FILE *stream);
size_t fwrite(const void *buffer, size_t size, size_t count, FILE *stream);

FILE *fopen(const char *name, const char *mode);
FILE *fdopen(int descriptor, const char *mode);
FILE *freopen(const char *name, const char *mode, FILE *stream);
FILE *tmpfile(void);
int fclose(FILE *stream);
int fflush(FILE *stream);
int fileno(FILE *stream);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *stream);
FILE *fmemopen(void *buffer, size_t size, const char *mode);
FILE *open_memstream(char **buffer, size_t *size);
int feof(FILE *stream);
int ferror(FILE *stream);
void clearerr(FILE *stream);
int fseek(FILE *stream, long offset, int whence);
long ftell(FILE *stream);
int fseeko(FILE *stream, long offset, int whence);
long ftello(FILE *stream);
void rewind(FILE *stream);
int fgetpos(FILE *stream, fpos_t *position);
int fsetpos(FILE *stream, const fpos_t *position);
void setbuf(FILE *stream, char *buffer);
int setvbuf(FILE *stream, char *buffer, int mode, size_t size);
int remove(const char *name);
int rename(const char *from, const char *to);
char *tmpnam(char *name);
void perror(const char *text);

#endif
