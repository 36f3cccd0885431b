#include "support/scale.h"

#include <stdlib.h>
#include <string.h>

static bool scale_is(const char *expected)
{
    const char *scale = getenv("DOLLOP_TEST_SCALE");
    return scale != NULL && strcmp(scale, expected) == 0;
}

bool small_scale(void)
{
    return scale_is("small");
}

bool full_scale(void)
{
    return scale_is("full");
}
