#include "methods/fluid_weight.h"

#include "base/exact_sum.h"

#include <math.h>

/* Heights above a level, or their squares. */
typedef struct Heights {
    const dlp__Domains *domains;
    const float *gravity;
    double level;
    int power;
} Heights;

static void add_heights(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const Heights *heights = context;
    float *const *x = heights->domains->part[part].particles.position;
    for (int64_t i = begin; i < end; i++) {
        double height = -heights->level;
        for (int a = 0; a < 3; a++) {
            height -= (double)heights->gravity[a] * (double)x[a][i];
        }
        dlp__exact_add(sum, heights->power == 2 ? height * height : height);
    }
}

static double mean_height(Heights heights)
{
    int64_t counts[DLP_DOMAINS_MOST];
    for (int d = 0; d < heights.domains->count; d++) {
        counts[d] = heights.domains->part[d].particles.count;
    }
    double scale = 1.0;
    const double sum = dlp__exact_sum(heights.domains->parallel, heights.domains->count, counts, add_heights, &heights,
                                      &scale);
    const int64_t count = dlp__domains_particles(heights.domains);
    return count > 0 ? sum / (double)count : 0.0;
}

double dlp__fluid_weight(const dlp__StepContext *step, double height)
{
    const float *g = step->gravity;
    if (height > 0.0) {
        return sqrt((double)(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])) * height;
    }
    const double level = mean_height((Heights){step->domains, g, 0.0, 1});
    return sqrt(12.0 * mean_height((Heights){step->domains, g, level, 2}));
}
