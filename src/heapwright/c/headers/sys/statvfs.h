/* File systems. */
#ifndef HEAPWRIGHT_SYS_STATVFS_H
#define HEAPWRIGHT_SYS_STATVFS_H
struct statvfs {
    unsigned long f_bsize;
    unsigned long f_frsize;
    unsigned long f_blocks;
    unsigned long f_bfree;
    unsigned long f_bavail;
    unsigned long f_files;
    unsigned long f_ffree;
    unsigned long f_namemax;
};
int statvfs(const char *name, struct statvfs *result);
int fstatvfs(int descriptor, struct statvfs *result);
#endif
