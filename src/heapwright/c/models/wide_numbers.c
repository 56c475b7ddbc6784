/* Numbers read from wide text. */
#include "intrinsics.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

#define CHARACTER wchar_t
#define NAME(rest) wcs##rest
#include "any_number.h"
