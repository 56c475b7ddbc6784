/* The end of the standard input, which stays: reading goes on behind it only after an error, which is approximate. One
   character that is pushed back is read again. */
#include "intrinsics.h"

static int met;
static int pushed; /* as in struct heapwright_file */
static int sought;

/* The run depends on an approximation from here on. */
void hw_model_approximation(void)
{
    if (hw_model_approximate_between(0, 1))
        pushed = 0;
}

int hw_model_push_input(int character)
{
    if (pushed)
        hw_model_approximation();
    pushed = character + 1;
    met = 0;
    return character;
}

/* -1 if there is none. */
int hw_model_take_pushed_input(void)
{
    int character = pushed - 1;
    pushed = 0;
    return character;
}

/* Text is read, of which the first character is none that was pushed back, and nothing was read before. */
void hw_model_begin_reading_input(void)
{
    if (PUSHES && hw_model_take_pushed_input() >= 0)
        hw_model_approximation();
    if (SEEKS && sought)
        hw_model_approximation();
}

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
    pushed = 0;
    sought = 1;
}

int getchar(void)
{
    int character;
    if (PUSHES) {
        character = hw_model_take_pushed_input();
        if (character >= 0)
            return character;
    }
    if (met)
        return -1;
    hw_model_begin_reading_input();
    character = hw_model_input_between(-1, 255);
    if (hw_model_records())
        hw_model_text("%c", character);
    if (character < 0)
        hw_model_meet_input_end();
    return character;
}

int getchar_unlocked(void)
{
    return getchar();
}
