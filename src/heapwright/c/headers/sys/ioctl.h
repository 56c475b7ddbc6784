/* Control of devices. */
#ifndef HEAPWRIGHT_SYS_IOCTL_H
#define HEAPWRIGHT_SYS_IOCTL_H
#define TIOCGWINSZ 0x5413
#define FIONREAD 0x541B
struct winsize {
    unsigned short ws_row;
    unsigned short ws_col;
    unsigned short ws_xpixel;
    unsigned short ws_ypixel;
};
int ioctl(int descriptor, unsigned long request, ...);
#endif
