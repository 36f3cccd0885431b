#include "stress_solver.h"

#include "stress_stages.h"

#include "base/simd.h"
#include "materials/maxwell.h"
#include "methods/conformation/conformation_fields.h"

#include <string.h>

static const dlp__FieldId FIELDS[] = {DLP_MOTION_FIELDS, DLP_FIELD_contact, DLP_FIELD_clearance,
                                      OWN_conformation,  OWN_flux,          DLP_FIELD_NONE};

dlp__StressDef dlp__stress_default_def(void)
{
    static const dlp_Param params[] = {DLP_DENSITY_PARAMS(dlp__StressDef, density, "", NULL)};
    static const dlp_ParamTable table = {"stress", "", sizeof(dlp__StressDef), (int)(sizeof params / sizeof params[0]),
                                         params};
    dlp__StressDef def;
    dlp_params_default(&table, &def);
    def.world = dlp_default_world_def();
    def.material = dlp_default_material_def();
    def.skin = 0.1; /* the fastest of 0, 0.1, 0.2 and 0.3 on a cube of 32^3 */
    return def;
}

dlp_Result dlp__stress_init(dlp__StressSolver *solver, const dlp__StressDef *def)
{
    const dlp_WorldDef *world = &def->world;
    const double support = world->spacing * world->support, reach = world->spacing * (world->support + def->skin);
    const double lower[3] = {world->periodic_min.x, world->periodic_min.y, world->periodic_min.z};
    const double size[3] = {world->periodic_size.x, world->periodic_size.y, world->periodic_size.z};
    *solver = (dlp__StressSolver){.def = *def};
    dlp__memory_init(&solver->memory, NULL);
    dlp__parallel_init(&solver->parallel, (int)world->threads, NULL);
    solver->kernel = dlp__kernel((dlp_KernelKind)world->kernel, support);
    dlp__domains_init(&solver->domains, &solver->memory, &solver->parallel, 1, &dlp__conformation_fields, FIELDS);
    solver->domains.error = &solver->error;
    solver->domains.width = world->simd > 0 ? (int)world->simd : dlp__width_most();
    solver->domains.support = (float)reach;
    dlp__solids_init(&solver->solids, &solver->memory, (float)world->spacing, &solver->kernel, NULL);
    if (!dlp__cell_frame_init(&solver->domains.frame, reach, lower, size)) {
        return dlp__fail(&solver->error, DLP_ERROR_ARGUMENT, "the periodic box is too small for the kernel");
    }
    return dlp__maxwell_check(&def->material, &solver->error);
}

void dlp__stress_release(dlp__StressSolver *solver)
{
    dlp__buffer_release(&solver->memory, &solver->listed);
    dlp__solids_release(&solver->solids);
    dlp__domains_release(&solver->domains);
}

dlp_Result dlp__stress_add_fluid(dlp__StressSolver *solver, const dlp_ShapeDef *shape, dlp_Vec3 velocity)
{
    double spacing = solver->def.world.spacing;
    dlp__Particles *p = dlp__stress_particles(solver);
    dlp__Shape place = dlp__shape_place(shape, NULL);
    int64_t count = dlp__shape_fill_count(&place, spacing), first = count > 0 ? dlp__particles_add(p, count) : -1;
    if (first < 0) {
        return dlp__fail(&solver->error, DLP_ERROR_MEMORY, "out of memory for %lld particles", (long long)count);
    }
    dlp__shape_fill(&place, spacing, p->position[0] + first, p->position[1] + first, p->position[2] + first);
    for (int64_t i = first; i < first + count; i++) {
        p->id[0][i] = (uint64_t)i;
        p->density[0][i] = (float)solver->def.material.density;
        p->velocity[0][i] = (float)velocity.x;
        p->velocity[1][i] = (float)velocity.y;
        p->velocity[2][i] = (float)velocity.z;
    }
    solver->lists = 0;
    return DLP_OK;
}

dlp_Result dlp__stress_add_solid(dlp__StressSolver *solver, const dlp_SolidDef *def)
{
    return dlp__solids_add(&solver->solids, def, NULL, &solver->error);
}

/* Displacements since the lists were built; the mean displacement separates no pair. */
typedef struct Moves {
    const dlp__Particles *particles;
    const float *listed;
    int axis;
    double mean[3]; /* m */
    double most;    /* m, beyond this the lists may be incomplete */
} Moves;

static double sum_moves(void *context, int64_t begin, int64_t end)
{
    const Moves *moves = context;
    const float *now = moves->particles->position[moves->axis];
    const float *then = moves->listed + moves->axis * moves->particles->count;
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        sum += (double)(now[i] - then[i]);
    }
    return sum;
}

static double count_far(void *context, int64_t begin, int64_t end)
{
    const Moves *moves = context;
    float *const *now = moves->particles->position;
    const float *then = moves->listed, mean[3] = {(float)moves->mean[0], (float)moves->mean[1], (float)moves->mean[2]};
    const float most = (float)(moves->most * moves->most);
    int64_t count = moves->particles->count, near = 0;
    for (int64_t i = begin; i < end; i++) {
        float x = now[0][i] - then[i] - mean[0], y = now[1][i] - then[count + i] - mean[1],
              z = now[2][i] - then[2 * count + i] - mean[2];
        near += x * x + y * y + z * z <= most; /* false for a NaN */
    }
    return (double)(end - begin - near);
}

static bool lists_are_valid(dlp__StressSolver *solver)
{
    const dlp__Particles *p = dlp__stress_particles(solver);
    Moves moves = {p, solver->listed.data, 0, {0.0, 0.0, 0.0}, 0.5 * solver->def.skin * solver->def.world.spacing};
    if (solver->lists == 0) {
        return false;
    }
    for (moves.axis = 0; moves.axis < 3; moves.axis++) {
        moves.mean[moves.axis] = dlp__parallel_sum(&solver->parallel, p->count, sum_moves, &moves) / (double)p->count;
    }
    return dlp__parallel_sum(&solver->parallel, p->count, count_far, &moves) == 0.0;
}

static void update_neighbors(dlp__StressSolver *solver)
{
    dlp__Particles *p = dlp__stress_particles(solver);
    int64_t removed = 0;
    double started = dlp__clock();
    bool serve = lists_are_valid(solver);
    dlp__profile_add(&solver->domains, "lists serve", started);
    if (serve) {
        return;
    }
    dlp__domains_update(&solver->domains, &removed);
    dlp__require_memory(&solver->domains,
                        dlp__buffer_reserve(&solver->memory, &solver->listed, 3 * p->count, sizeof(float)),
                        "the positions that lists were made for");
    if (!dlp__step_is_ok(&solver->domains)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        memcpy((float *)solver->listed.data + axis * p->count, p->position[axis], (size_t)p->count * sizeof(float));
    }
    solver->lists++;
}

static dlp__StepContext step_context(dlp__StressSolver *solver, double dt)
{
    const dlp_WorldDef *world = &solver->def.world;
    return (dlp__StepContext){
        .domains = &solver->domains,
        .solids = &solver->solids,
        .companions = &solver->companions,
        .kernel = &solver->kernel,
        .materials = &solver->def.material,
        .material_count = 1,
        .spacing = (float)world->spacing,
        .gravity = {(float)world->gravity.x, (float)world->gravity.y, (float)world->gravity.z},
        .dt = (float)dt,
        .dt_last = (float)solver->dt_last,
        .time = solver->time + dt,
    };
}

/* Strain and stress where the step starts, which push at once (symplectic Euler); then walls stop what they must. */
static void apply_stress(const dlp__StepContext *step, const dlp_MaterialDef *material)
{
    static const dlp__StressStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__stress_stages);
    const dlp__StressStages *stages = versions[dlp__width_index(step->domains->width)];
    const dlp__MaxwellStep maxwell = dlp__maxwell_step(material, (double)step->dt);
    const dlp__StressArguments arguments = {
        .kernel = *step->kernel,
        .volume = step->spacing * step->spacing * step->spacing,
        .specific_volume = (float)(1.0 / material->density),
        .dt = step->dt,
        .modulus = 1.0f / maxwell.compliance,
        .retention = maxwell.retention,
    };
    dlp__Domains *domains = step->domains;
    dlp__run(domains, &stages->begin, &arguments);
    dlp__run(domains, &stages->deform, &arguments);
    dlp__run(domains, &stages->accelerate, &arguments);
    dlp__boundary_resolve_wall_velocity(step->solids, domains, step->dt);
    dlp__run(domains, &stages->arrive, &arguments);
}

static dlp_Result check_finite(dlp__StressSolver *solver)
{
    static const dlp__FieldId fields[] = {DLP_FIELD_position, DLP_FIELD_velocity, OWN_conformation, DLP_FIELD_NONE};
    int field = 0;
    int64_t index = 0;
    bool bad = dlp__particles_find_bad(dlp__stress_particles(solver), &solver->parallel, fields, &field, &index);
    return !bad ? DLP_OK
                : dlp__fail(&solver->error, DLP_ERROR_NOT_FINITE, "%s is not finite at %g s",
                            dlp__field_info(dlp__stress_particles(solver), field)->name, solver->time);
}

dlp_Result dlp__stress_step(dlp__StressSolver *solver, double dt)
{
    dlp__StepContext step = step_context(solver, dt);
    dlp__solids_move_to(&solver->solids, step.time);
    dlp__domains_begin_step(&solver->domains);
    dlp__motion_predict(&step);
    update_neighbors(solver);
    dlp__motion_prepare(&step);
    apply_stress(&step, &solver->def.material);
    dlp__motion_push_out(&step);
    dlp__boundary_build_samples(&solver->solids, &solver->domains);
    dlp__motion_project_density(&step, &solver->def.density, 0, NULL, NULL);
    dlp__motion_finish(&step);
    solver->time = step.time;
    solver->dt_last = dt;
    solver->steps++;
    return dlp__step_is_ok(&solver->domains) ? check_finite(solver) : solver->domains.failure;
}
