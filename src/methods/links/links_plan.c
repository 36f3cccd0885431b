#include "methods/links/links_plan.h"

#include "methods/fluid_weight.h"
#include "sph/lattice.h"

static dlp__LinkScene scene_of(const dlp__StepContext *step, const dlp__HeatRange *range)
{
    const dlp__LinksMaterial *own = step->material_params;
    const dlp__LinksParams *params = step->params;
    const double spacing = (double)step->spacing;
    bool needs_height = false;
    for (int m = 0; m < step->material_count; m++) {
        needs_height = needs_height || dlp__link_needs_height(&range[m].cold, &range[m].cold_scale, &own[m]) ||
                       dlp__link_needs_height(&range[m].hot, &range[m].hot_scale, &own[m]);
    }
    return (dlp__LinkScene){.weight = needs_height ? dlp__fluid_weight(step, params->height) : 0.0,
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
