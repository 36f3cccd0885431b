/* How large the tests run: DOLLOP_TEST_SCALE is 'small' under sanitizers, 'full' among the nightly ones, else not set. */
#ifndef DLP_TESTS_SUPPORT_SCALE_H
#define DLP_TESTS_SUPPORT_SCALE_H

#include <stdbool.h>

bool small_scale(void);
bool full_scale(void);

/* For tests of long physics, of which a sanitizer would learn nothing new. */
#define SKIP_IF_SMALL() \
    do { \
        if (small_scale()) { \
            skip(); \
        } \
    } while (0)

#endif
