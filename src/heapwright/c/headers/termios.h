/* Terminals. */
#ifndef HEAPWRIGHT_TERMIOS_H
#define HEAPWRIGHT_TERMIOS_H
typedef unsigned int tcflag_t;
typedef unsigned int speed_t;
typedef unsigned char cc_t;
#define NCCS 32
#define VTIME 5
#define VMIN 6
#define ICANON 2
#define ECHO 8
#define ISIG 1
#define TCSANOW 0
#define TCSAFLUSH 2
struct termios {
    tcflag_t c_iflag;
    tcflag_t c_oflag;
    tcflag_t c_cflag;
    tcflag_t c_lflag;
    cc_t c_line;
    cc_t c_cc[NCCS];
    speed_t c_ispeed;
    speed_t c_ospeed;
};
int tcgetattr(int descriptor, struct termios *result);
int tcsetattr(int descriptor, int when, const struct termios *wanted);
#endif
