/* Size of the tests: DOLLOP_TEST_SCALE is 'small' under sanitizers, 'full' in nightly runs, and not set otherwise. */
#ifndef DLP_TESTS_SUPPORT_SCALE_H
#define DLP_TESTS_SUPPORT_SCALE_H

#include <stdbool.h>

bool small_scale(void);
bool full_scale(void);

/* For long physics tests that are not worth running under a sanitizer. */
#define SKIP_IF_SMALL() \
    do { \
        if (small_scale()) { \
            skip(); \
        } \
    } while (0)

#endif
