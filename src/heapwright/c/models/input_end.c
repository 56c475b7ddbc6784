/* The end of the standard input, which stays: reading goes on behind it only after an error, which is approximate. */
#include "intrinsics.h"

static int met;

int hw_model_input_has_ended(void)
{
    return met;
}

void hw_model_meet_input_end(void)
{
    if (!hw_model_either())
        met = 1;
}

void hw_model_clear_input_end(void)
{
    met = 0;
}

int getchar(void)
{
    int character;
    if (met)
        return -1;
    character = hw_model_input_between(-1, 255);
    if (character < 0)
        hw_model_meet_input_end();
    return character;
}

int getchar_unlocked(void)
{
    return getchar();
}
