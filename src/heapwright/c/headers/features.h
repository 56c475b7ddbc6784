/* Feature tests: nothing depends on them here. */
#ifndef HEAPWRIGHT_FEATURES_H
#define HEAPWRIGHT_FEATURES_H

#endif
