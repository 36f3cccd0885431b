/* Selects the operators for a vector width. */
#include "sph/operators.h"

#include "base/simd.h"

const dlp__Operators *dlp__operators(int width)
{
    static const dlp__Operators *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__operators);
    return versions[dlp__width_index(width)];
}
