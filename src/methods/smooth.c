#include "methods/smooth.h"

#include "base/simd.h"
#include "methods/smooth_stages.h"

void dlp__smooth_velocities(dlp__StepContext *step)
{
    static const dlp__SmoothStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__smooth_stages);
    const dlp__SmoothStages *stages = versions[dlp__width_index(step->domains->width)];
    const dlp__SmoothArguments arguments = {
        .kernel = *step->kernel, .volume = step->spacing * step->spacing * step->spacing, .step = step};
    dlp__run(step->domains, &stages->prepare, &arguments);
    dlp__run(step->domains, &stages->smooth, &arguments);
}
