/* Sorting and searching. One exact way, and all others that the standard allows, as an approximation: which elements
   are compared, how often, and in which order equal ones end up. */
#include "intrinsics.h"
#include <stdlib.h>

static size_t any_index(size_t count)
{
    size_t index = (size_t)hw_model_approximate_int();
    return index < count ? index : 0;
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    size_t i;
    size_t j;
    if (hw_model_either()) {
        while (count > 0 && hw_model_approximate_between(0, 1)) {
            void *left = hw_model_element(base, any_index(count), size);
            void *right = hw_model_element(base, any_index(count), size);
            compare(left, right);
            if (hw_model_approximate_between(0, 1))
                hw_model_swap(left, right, size);
        }
        return;
    }
    for (i = 1; i < count; i++) {
        for (j = i; j > 0; j--) {
            void *left = hw_model_element(base, j - 1, size);
            void *right = hw_model_element(base, j, size);
            if (compare(left, right) <= 0)
                break;
            hw_model_swap(left, right, size);
        }
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    size_t low = 0;
    size_t high = count;
    if (hw_model_either()) {
        while (count > 0 && hw_model_approximate_between(0, 1)) {
            void *element = hw_model_element(base, any_index(count), size);
            if (compare(key, element) == 0)
                return element;
        }
        return NULL;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        void *element = hw_model_element(base, middle, size);
        int order = compare(key, element);
        if (order == 0)
            return element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
