/* Position-based fluids (Macklin and Mueller 2013, Algorithm 1): predict, find neighbours, project the density
 * constraint, update velocities, smooth them. */
#include "methods/pbf/pbf.h"

#include "base/simd.h"
#include "methods/pbf/pbf_stages.h"
#include "pressure/density_constraint.h"

#include <math.h>

typedef struct PbfParams {
    int64_t iterations, iterations_least;
    double tolerance, relaxation, softness, tensile, keep, recovery;
} PbfParams;

/* clang-format off */
#define PARAM(member, type, value, least, most, unit, help) \
    {#member, type, offsetof(PbfParams, member), unit, {value, 0, 0}, least, most, NULL, help}

static const dlp_Param params[] = {
    PARAM(iterations, DLP_PARAM_INT, 30, 1, 10000, "", "of the density constraint in a step, at most"),
    PARAM(iterations_least, DLP_PARAM_INT, 2, 0, 10000, "", "of the density constraint in a step, at least"),
    PARAM(tolerance, DLP_PARAM_REAL, 0.0005, 0, 1, "", "mean compression beyond the allowed at which iterations stop"),
    PARAM(relaxation, DLP_PARAM_REAL, 0.5, 0.01, 1.5, "", "part of a Jacobi step that is taken"),
    PARAM(softness, DLP_PARAM_REAL, 0.05, 0, 100, "", "weakens the constraint of particles with few neighbours (epsilon)"),
    PARAM(tensile, DLP_PARAM_REAL, 1, 0, 1000, "",
          "artificial pressure that keeps particles apart, in weights of one layer of particles"),
    PARAM(keep, DLP_PARAM_REAL, 0.7, 0, 1, "", "part of the last step's pressure taken as first guess"),
    PARAM(recovery, DLP_PARAM_REAL, 40, 0, 1e6, "1/s", "rate at which compression is mended that a step finds"),
};

static const dlp_ParamTable table = {"pbf", "position-based fluid", sizeof(PbfParams),
                                     (int)(sizeof params / sizeof params[0]), params};
/* clang-format on */

typedef struct Contact {
    dlp__Solids *solids;
    dlp__Domains *domains;
} Contact;

static void keep_out_of_solids(void *context)
{
    const Contact *contact = context;
    double started = dlp__clock();
    dlp__solids_push_out(contact->solids, contact->domains);
    dlp__profile_add(contact->domains, "contact", started);
}

/* Pa: `tensile` times the weight of one layer of the lightest material, so that it does not depend on the time step. */
static float artificial_pressure(const dlp__StepContext *step, double tensile)
{
    double density = step->material_count > 0 ? step->materials[0].density : 0.0;
    for (int i = 1; i < step->material_count; i++) {
        density = fmin(density, step->materials[i].density);
    }
    const float *g = step->gravity;
    double weight = sqrt((double)(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])) * (double)step->spacing;
    return (float)(tensile * density * weight);
}

static bool project_density(dlp__StepContext *step)
{
    const PbfParams *p = step->params;
    const dlp__DensitySolver solver = {
        .kernel = *step->kernel,
        .spacing = step->spacing,
        .dt = step->dt,
        .dt_last = step->dt_last,
        .relaxation = (float)p->relaxation,
        .softness = (float)p->softness,
        .tensile = artificial_pressure(step, p->tensile),
        .keep = (float)p->keep,
        .recovery = (float)p->recovery,
        .tolerance = p->tolerance,
        .least = p->iterations_least < p->iterations ? p->iterations_least : p->iterations,
        .most = p->iterations,
    };
    Contact contact = {step->solids, step->domains};
    step->iterations = dlp__density_solve(step->domains, &solver, keep_out_of_solids, &contact);
    step->unfinished = step->iterations == solver.most && solver.least < solver.most;
    return step->iterations >= 0;
}

static dlp_Result pbf_step(dlp__StepContext *step)
{
    static const dlp__PbfStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__pbf_stages);
    const dlp__PbfStages *stages = versions[dlp__width_index(step->domains->width)];
    const dlp__PbfArguments arguments = {.kernel = *step->kernel,
                                         .volume = step->spacing * step->spacing * step->spacing,
                                         .dt = step->dt,
                                         .gravity = {step->gravity[0], step->gravity[1], step->gravity[2]},
                                         .materials = step->materials};
    bool room = dlp__run(step->domains, &stages->predict, &arguments);
    keep_out_of_solids(&(Contact){step->solids, step->domains});
    dlp_Result found = step->update_neighbors(step);
    if (found != DLP_OK) {
        return found;
    }
    room = room && dlp__solids_sample(step->solids, step->domains);
    room = room && dlp__run(step->domains, &stages->prepare, &arguments);
    room = room && project_density(step);
    room = room && dlp__run(step->domains, &stages->finish, &arguments);
    dlp__solids_rub(step->solids, step->domains);
    room = room && dlp__run(step->domains, &stages->smooth, &arguments);
    return room ? DLP_OK : dlp__fail(step->error, DLP_ERROR_MEMORY, "no memory for the step's work arrays");
}

const dlp__Method dlp__pbf = {
    .name = "pbf",
    .summary = "position-based fluid: water-like liquids, fast and robust (Macklin and Mueller 2013)",
    .params = &table,
    .fields = DLP_FIELD_BIT(id) | DLP_FIELD_BIT(material) | DLP_FIELD_BIT(position) | DLP_FIELD_BIT(velocity) |
              DLP_FIELD_BIT(density) | DLP_FIELD_BIT(smoothing) | DLP_DENSITY_FIELDS,
    .step = pbf_step,
};
