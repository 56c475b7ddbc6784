/* System calls that ordinary programs make. */
#ifndef HEAPWRIGHT_UNISTD_H
#define HEAPWRIGHT_UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
extern char *optarg;
extern int optind, opterr, optopt;
__attribute__((__noreturn__)) void _exit(int status);
ssize_t read(int descriptor, void *buffer, size_t count);
ssize_t write(int descriptor, const void *buffer, size_t count);
off_t lseek(int descriptor, off_t offset, int whence);
int close(int descriptor);
int dup(int descriptor);
int dup2(int descriptor, int copy);
int pipe(int descriptors[2]);
int access(const char *name, int mode);
int unlink(const char *name);
int rmdir(const char *name);
int chdir(const char *name);
char *getcwd(char *buffer, size_t size);
int isatty(int descriptor);
int getopt(int count, char *const arguments[], const char *options);
pid_t getpid(void);
pid_t getppid(void);
pid_t fork(void);
int execv(const char *path, char *const arguments[]);
int execvp(const char *file, char *const arguments[]);
uid_t getuid(void);
gid_t getgid(void);
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
unsigned int alarm(unsigned int seconds);
long sysconf(int name);
int getpagesize(void);
int gethostname(char *name, size_t size);
int link(const char *from, const char *to);
int symlink(const char *from, const char *to);
ssize_t readlink(const char *name, char *buffer, size_t size);
int ftruncate(int descriptor, off_t size);
int truncate(const char *name, off_t size);
int fsync(int descriptor);
ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *buffer, size_t count, off_t offset);
uid_t geteuid(void);
gid_t getegid(void);
pid_t setsid(void);
int execl(const char *path, const char *first, ...);
int execlp(const char *file, const char *first, ...);
int execve(const char *path, char *const arguments[], char *const environment[]);
void *sbrk(intptr_t increment);
#endif
