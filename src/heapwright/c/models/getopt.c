/* Options of the command line, as POSIX says. GNU's getopt moves arguments that are no options to the end, where options
   follow them: that is not modelled. */
#include "intrinsics.h"
#include <unistd.h>

char *optarg = NULL;
int optind = 1;
int opterr = 1;
int optopt = 0;
static int position = 1;

static int follows_an_option(int count, char *const arguments[])
{
    int i;
    for (i = optind + 1; i < count; i++)
        if (arguments[i][0] == '-' && arguments[i][1] != 0)
            return 1;
    return 0;
}

int getopt(int count, char *const arguments[], const char *options)
{
    size_t i;
    char letter;
    optarg = NULL;
    if (optind < 1)
        hw_model_unmodelled();
    if (optind >= count || arguments[optind] == NULL)
        return -1;
    if (position == 1) {
        if (arguments[optind][0] != '-' || arguments[optind][1] == 0) {
            if (options[0] == '-' || (options[0] != '+' && follows_an_option(count, arguments)))
                hw_model_unmodelled();
            return -1;
        }
        if (arguments[optind][1] == '-' && arguments[optind][2] == 0) {
            optind++;
            return -1;
        }
    }
    letter = arguments[optind][position];
    position++;
    for (i = 0; options[i] != 0 && (options[i] != letter || letter == ':'); i++)
        ;
    if (options[i] == 0) {
        optopt = letter;
        if (arguments[optind][position] == 0) {
            optind++;
            position = 1;
        }
        return '?';
    }
    if (options[i + 1] != ':') {
        if (arguments[optind][position] == 0) {
            optind++;
            position = 1;
        }
        return letter;
    }
    if (options[i + 2] == ':')
        hw_model_unmodelled();
    if (arguments[optind][position] != 0) {
        optarg = arguments[optind] + position;
        optind++;
    } else if (optind + 1 < count) {
        optarg = arguments[optind + 1];
        optind += 2;
    } else {
        optopt = letter;
        optind++;
        position = 1;
        return options[0] == ':' ? ':' : '?';
    }
    position = 1;
    return letter;
}
