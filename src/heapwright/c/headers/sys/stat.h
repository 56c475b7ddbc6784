/* Properties of files. */
#ifndef HEAPWRIGHT_SYS_STAT_H
#define HEAPWRIGHT_SYS_STAT_H
#include <sys/types.h>
struct stat {
    dev_t st_dev;
    ino_t st_ino;
    mode_t st_mode;
    nlink_t st_nlink;
    uid_t st_uid;
    gid_t st_gid;
    off_t st_size;
    time_t st_atime;
    time_t st_mtime;
    time_t st_ctime;
};
int stat(const char *name, struct stat *result);
int fstat(int descriptor, struct stat *result);
int mkdir(const char *name, mode_t mode);
int chmod(const char *name, mode_t mode);
#endif
