#include "methods/links/links_plan.h"

#include "base/exact_sum.h"
#include "sph/lattice.h"

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

/* m2/s2: g H, where H is the height of a block with the same variance of particle heights. */
static double weight_of(const dlp__StepContext *step)
{
    const dlp__LinksParams *own = step->params;
    const float *g = step->gravity;
    if (own->height > 0.0) {
        return sqrt((double)(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])) * own->height;
    }
    const double level = mean_height((Heights){step->domains, g, 0.0, 1});
    return sqrt(12.0 * mean_height((Heights){step->domains, g, level, 2}));
}

static dlp__LinkScene scene_of(const dlp__StepContext *step, const dlp__HeatRange *range)
{
    const dlp__LinksMaterial *own = step->material_params;
    const double spacing = (double)step->spacing;
    bool needs_height = false;
    for (int m = 0; m < step->material_count; m++) {
        needs_height = needs_height || dlp__link_needs_height(&range[m].cold, &range[m].cold_scale, &own[m]) ||
                       dlp__link_needs_height(&range[m].hot, &range[m].hot_scale, &own[m]);
    }
    return (dlp__LinkScene){.weight = needs_height ? weight_of(step) : 0.0,
                            .moment = dlp__lattice_sums(step->kernel, spacing).moment,
                            .volume = spacing * spacing * spacing,
                            .dt = (double)step->dt};
}

/* Fill in the law of each material and the number of values that links need. */
static void add_laws(dlp__StepContext *step, dlp__LinksPlan *plan, const dlp__HeatRange *range, dlp__LinkLaw *law)
{
    bool uniform = true, rigid = true;
    for (int m = 0; m < step->material_count; m++) {
        const dlp__LinksMaterial *own = &plan->own[m];
        const dlp__LinkLaw cold = dlp__link_law(&range[m].cold, &range[m].cold_scale, own, &plan->scene);
        law[m] = dlp__link_law(&range[m].hot, &range[m].hot_scale, own, &plan->scene);
        plan->linked = plan->linked || law[m].linked || cold.linked;
        uniform = uniform && step->materials[m].density == step->materials[0].density && law[m].stiffness == 1.0f;
        rigid = rigid && law[m].softness == 0.0f && cold.softness == 0.0f;
    }
    plan->law = law;
    plan->values_per_link = !rigid ? 4 : !uniform ? 2 : 1;
}

bool dlp__links_plan(dlp__StepContext *step, dlp__LinksPlan *plan)
{
    const dlp__LinksParams *own = step->params;
    dlp__LinkLaw *law = dlp__step_scratch(step->domains, step->material_count, sizeof *law, "the links of materials");
    dlp__HeatRange *range = dlp__step_scratch(step->domains, step->material_count, sizeof *range,
                                              "ranges of materials");
    if (law == NULL || range == NULL) {
        return false;
    }
    for (int m = 0; m < step->material_count; m++) {
        range[m] = dlp__heat_range(step->heat, step->materials, m, step->domains);
    }
    *plan = (dlp__LinksPlan){
        .materials = step->materials,
        .own = step->material_params,
        .heat = step->heat,
        .scene = scene_of(step, range),
        .support = step->kernel->support,
        .slack = (float)own->slack,
        .dt = step->dt,
        .bonds = step->bonds,
        .domains = step->domains,
    };
    add_laws(step, plan, range, law);
    return true;
}
