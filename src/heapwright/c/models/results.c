/* Results of which the standard determines a part only. */
#include "intrinsics.h"
#include <limits.h>

int hw_model_any_of_sign(int value)
{
    if (value < 0)
        return hw_model_input_between(INT_MIN, -1);
    return value > 0 ? hw_model_input_between(1, INT_MAX) : 0;
}

int hw_model_any_of_truth(int value)
{
    if (value == 0)
        return 0;
    return hw_model_input_between(0, 1) ? hw_model_input_between(INT_MIN, -1) : hw_model_input_between(1, INT_MAX);
}
