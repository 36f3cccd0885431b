/* Materials in a step: a survey for the solver, and the coefficients of every particle. */
#include "base/simd.h"
#include "materials/maxwell.h"
#include "methods/motion.h"
#include "methods/physical/physical_laws.h"
#include "methods/physical/physical_fields.h"
#include "methods/physical/physical_solver.h"
#include "sph/lattice.h"

#include <dollop/rheology.h>

#include <math.h>
#include <stdio.h>

/* Limit of viscosity times dt over density and spacing squared: beyond it, rounding errors of forces would rotate and
 * move free bodies. */
static const double STIFFEST = 1e5;

/* Above this value of the same ratio the coarse grid is used from the first iteration. */
static const double STIFF = 3.0;

/* Above this ratio of resistances the diagonal preconditioner saves iterations; for similar materials it costs some at
 * free surfaces. */
static const double CONTRAST = 4.0;

/* m, extent of the fluid along a direction. */
static double height_of(const dlp__Domains *domains, const double direction[3])
{
    double low = INFINITY, high = -INFINITY;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            double along = direction[0] * (double)p->position[0][i] + direction[1] * (double)p->position[1][i] +
                           direction[2] * (double)p->position[2][i];
            low = along < low ? along : low;
            high = along > high ? along : high;
        }
    }
    low = dlp__ranks_least(domains->ranks, low);
    high = dlp__ranks_most(domains->ranks, high);
    return high > low ? high - low : 0.0;
}

/* m2/s2, gravity times the height of the fluid. */
static double gravity_head(const dlp__StepContext *step)
{
    const double g[3] = {(double)step->gravity[0], (double)step->gravity[1], (double)step->gravity[2]};
    const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (size == 0.0) {
        return 0.0;
    }
    const double down[3] = {g[0] / size, g[1] / size, g[2] / size};
    return size * height_of(step->domains, down);
}

/* Before pressure responds, the fluid may be compressed under its own weight by at most one part in this. */
static const double FIRM = 50.0;

/* Bulk viscosity besides that of viscous fluids, in density times spacing squared over dt. */
static double extra_bulk_viscosity(const dlp__StepContext *step, double inertia, double head)
{
    const double spacings = (double)(step->dt / step->spacing);
    return fmax(inertia, FIRM * head * spacings * spacings);
}

/* A body that stops at once from its mean speed is compressed by at most one part in this: as in steps in which it moves by 0.4 spacings. */
static const double IMPACT = 60.0;

/* m2/s2, least bulk modulus over density of an elastic solid in automatic steps. It hardly changes from step to step. */
static double solid_bulk_ratio(const dlp__StepContext *step, double head)
{
    return fmax(FIRM * head, IMPACT * step->flow_speed * step->flow_speed);
}

/* 1/s: rate at which the viscosity of a thinning fluid is typical, for decisions on solver and step. */
static const double TYPICAL_RATE = 1.0;

/* A material that has not flowed yet, as a Maxwell fluid. */
static dlp__MaxwellFlow typical_flow(const dlp_MaterialDef *material, double dt, double stiffest)
{
    return dlp__physical_has_law(material) ? dlp__physical_rest_flow(material, TYPICAL_RATE, dt, stiffest)
                                           : dlp__maxwell_flow(material, dt, stiffest);
}

/* Update the solver's options for a material. */
static void survey_material(dlp__PhysicalSolver *solver, const dlp_MaterialDef *material)
{
    const double spacing = (double)solver->step->spacing, dt = (double)solver->step->dt;
    const double unit = material->density * spacing * spacing / dt;
    const dlp__MaxwellFlow flow = typical_flow(material, dt, STIFFEST * unit);
    const double viscosity = (double)flow.viscosity + (double)flow.solvent;
    const double resistance = material->density + viscosity * dt / (spacing * spacing);
    solver->arguments.has_laws |= dlp__physical_has_law(material);
    const bool is_plastic = dlp__law_parts(material).kind == DLP_LAW_PLASTIC; /* stores no stabilization force */
    solver->has_memory |= (flow.retention > 0.0f && !is_plastic) || material->frozen_modulus > 0.0;
    solver->stiff |= resistance > (1.0 + STIFF) * material->density;
    solver->softest = fmin(solver->softest, resistance);
    solver->hardest = fmax(solver->hardest, resistance);
}

/* Cosine of the contact angle; 0 at 90 degrees, which the cosine of the nearest number is not. */
static float wetting_of(const dlp_MaterialDef *material)
{
    const float cosine = (float)cos(material->contact_angle);
    return fabsf(cosine) > 1e-6f ? cosine : 0.0f;
}

/* Give memory to the fields that only worlds with surface tension, and only those with elastic memory, need. */
static void add_needed_fields(const dlp__PhysicalSolver *solver)
{
    static const dlp__FieldId tension[] = {OWN_tension,    OWN_wetting,       OWN_surface,     OWN_normal,
                                           OWN_wetted,     OWN_wall_normal,   OWN_wall_stress, OWN_wall_pull,
                                           OWN_wall_share, OWN_wall_reaction, OWN_slip,        OWN_surface_stress,
                                           OWN_height,     OWN_surface_shift, DLP_FIELD_NONE};
    static const dlp__FieldId memory[] = {OWN_excess_force, OWN_excess_share, DLP_FIELD_NONE};
    dlp__Domains *domains = solver->step->domains;
    if (solver->arguments.has_tension) {
        dlp__require_memory(domains, dlp__domains_add_fields(domains, tension), "surface tension");
    }
    if (solver->has_memory) {
        dlp__require_memory(domains, dlp__domains_add_fields(domains, memory), "elastic memory");
    }
}

dlp__PhysicalSolver dlp__physical_begin(dlp__StepContext *step, const dlp__PhysicalParams *params)
{
    static const dlp__PhysicalShapeStages *const shape[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__physical_shape_stages);
    static const dlp__PhysicalTensionStages *const tension[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__physical_tension_stages);
    static const dlp__PhysicalWettingStages *const wetting[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__physical_wetting_stages);
    static const dlp__PhysicalStressStages *const stress[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__physical_stress_stages);
    static const dlp__PhysicalOperatorStages *const linear[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__physical_operator_stages);
    static const dlp__PhysicalBlockStages *const blocks[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__physical_block_stages);
    static const dlp__PhysicalMemoryStages *const memory[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__physical_memory_stages);
    const int width = dlp__width_index(step->domains->width);
    const double spacing = (double)step->spacing, dt = (double)step->dt;
    /* Velocities are those of the middle of steps. In the first step, and if the length of steps varies, all forces act from the middle of the
     * last step to the middle of this one: free fall is exact, fluid at rest stays at rest, and a stiff fluid flows as fast as it should from
     * the start. The equations, in momentum per step, are divided by that time over dt. */
    const double between = 0.5 * (dt + (double)step->dt_last);
    const bool is_first = step->dt_last <= 0.0f;
    /* The reactions on free bodies are those of a whole step in the first one. */
    const bool forces_act_between = is_first ? step->solids->body_count == 0 : step->adaptive;
    const double kick = forces_act_between ? dt : between, head = gravity_head(step);
    const dlp__Lattice rest = dlp__lattice_sums(step->kernel, spacing);
    dlp__PhysicalSolver solver = {
        .step = step,
        .params = params,
        .bodies = {.step = step},
        .softest = INFINITY,
        .shape = shape[width],
        .tension = tension[width],
        .wetting = wetting[width],
        .stress = stress[width],
        .linear = linear[width],
        .blocks = blocks[width],
        .memory = memory[width],
        .arguments = {
            .kernel = *step->kernel,
            .volume = (float)(spacing * spacing * spacing),
            .per_spacing = 1.0f / step->spacing,
            .dt = step->dt,
            .inertia = (float)(forces_act_between ? dt / between : 1.0),
            .step = step,
            .damping = is_first ? 1.0f : (float)params->damping, /* the first step has no history */
            .bulk = (float)params->bulk,
            .stiffest = (float)(STIFFEST * spacing * spacing / dt),
            .bulk_inertia = (float)(extra_bulk_viscosity(step, params->inertia, head) * spacing * spacing / dt),
            .solid_bulk = (float)(solid_bulk_ratio(step, head) * dt),
            .dt_varies = step->adaptive && !is_first,
            .fick = (float)(params->fick_shift * spacing * spacing),
            .density_rate = (float)params->density_shift,
            .per_rest = (float)(1.0 / rest.value),
            .softness = (float)(0.05 * rest.stiffness)}};
    for (int a = 0; a < 3; a++) {
        solver.arguments.kick[a] = (float)(kick * (double)step->gravity[a]);
    }
    for (int m = 0; m < step->material_count; m++) {
        const dlp__HeatRange range = dlp__heat_range(step->heat, step->materials, m, step->domains);
        survey_material(&solver, &range.cold);
        survey_material(&solver, &range.hot);
        solver.arguments.has_tension |= step->materials[m].surface_tension > 0.0;
        solver.arguments.has_wetting |= step->materials[m].surface_tension > 0.0 &&
                                        wetting_of(&step->materials[m]) != 0.0f;
        solver.arguments.has_strength |= step->materials[m].cohesive_strength > 0.0;
        solver.melting |= range.hot.frozen_modulus > 0.0 && !isinf(dlp__maxwell_time(&range.hot));
    }
    solver.contrast = solver.hardest > CONTRAST * solver.softest;
    add_needed_fields(&solver);
    if (solver.arguments.has_laws) {
        dlp__physical_add_law_fields(step->domains, step->materials, step->material_count);
    }
    return solver;
}

/* Pa.s, limit of the viscosity in a step. */
static double stiffest_viscosity(const dlp_MaterialDef *material, double spacing, double dt)
{
    return STIFFEST * material->density * spacing * spacing / dt;
}

/* Pa, strength of a material that never breaks. */
static const float UNBREAKABLE = 1e30f;

/* Surface tension acts as it was at the start of the step. It is stable while sigma dt^2 / spacing^3 is at most these times density, and
 * times viscosity dt / spacing^2; measured on drops of 0.001 to 2 Pa.s with density, tension and radius 1. */
static const double CAPILLARY_INERTIA = 0.01, CAPILLARY_RESISTANCE = 0.5;

/* 1/s, at which a thinning fluid is deformed by its surface tension. */
static double capillary_rate(const dlp_MaterialDef *material, double spacing)
{
    return sqrt(material->surface_tension / (material->density * spacing * spacing * spacing));
}

static bool resolves_tension(const dlp__StepContext *step, const dlp_MaterialDef *material, double dt)
{
    const double spacing = (double)step->spacing;
    const double stiffest = stiffest_viscosity(material, spacing, dt);
    const dlp__MaxwellFlow flow = dlp__physical_has_law(material)
                                      ? dlp__physical_rest_flow(material, capillary_rate(material, spacing), dt,
                                                                stiffest)
                                      : dlp__maxwell_flow(material, dt, stiffest);
    const double viscosity = (double)flow.viscosity + (double)flow.solvent;
    return material->surface_tension * dt * dt <= CAPILLARY_INERTIA * material->density * spacing * spacing * spacing +
                                                      CAPILLARY_RESISTANCE * viscosity * dt * spacing;
}

/* In an elastic fluid resistance grows with the step as tension does, so the limit is found by trying. */
dlp__LongestStep dlp__physical_limit(const dlp__StepContext *step)
{
    const double shorter = 0.9;
    dlp__LongestStep limit = {.longest = step->requested_dt};
    for (int m = 0; m < step->material_count; m++) {
        if (step->materials[m].surface_tension <= 0.0) {
            continue;
        }
        const dlp__HeatRange range = dlp__heat_range(step->heat, step->materials, m, step->domains);
        const double before = limit.longest;
        while (!resolves_tension(step, &range.hot, limit.longest)) {
            limit.longest *= shorter;
        }
        if (limit.longest < before) {
            snprintf(limit.cause, sizeof limit.cause, "the surface tension of material '%.64s'",
                     step->materials[m].name);
        }
    }
    return limit;
}

static double trace_of(const dlp__PhysicalFields *f, int64_t i)
{
    return 3.0 + (double)(f->conformation[0][i] + f->conformation[1][i] + f->conformation[2][i]);
}

/* The flow of a material that is stretched to tr Q = `trace`. */
static dlp__MaxwellFlow stretched_flow(const dlp_MaterialDef *material, double trace, double dt, double stiffest)
{
    const dlp_MaterialDef drawn = dlp__maxwell_stretched(material,
                                                         dlp__maxwell_stiffening(dlp__maxwell_limit(material), trace));
    return dlp__maxwell_flow(&drawn, dt, stiffest);
}

/* The coefficients of this step. A particle that a nozzle carries has its velocity prescribed. */
static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const double spacing = (double)step->spacing, dt = (double)step->dt;
    dlp__MaxwellFlow flow = {0};
    dlp_MaterialDef material = {0};
    dlp__LawParts law = {.material = NULL};
    double stiffest = 0.0;
    float wetting = 0.0f;
    int32_t known = -1; /* neighbours are mostly of one material */
    bool changes = false, has_law = false;
    for (int64_t i = begin; i < end; i++) {
        if (p->material[0][i] != known || changes) {
            known = p->material[0][i];
            changes = dlp__heat_material_varies(step->heat, step->materials, known);
            material = dlp__heat_material(step->heat, step->materials, p, i);
            stiffest = stiffest_viscosity(&material, spacing, dt);
            has_law = dlp__physical_has_law(&material);
            law = dlp__law_parts(&material);
            flow = dlp__maxwell_flow(&material, dt, stiffest);
            wetting = wetting_of(&material);
        }
        if (has_law) {
            flow = dlp__physical_law_flow(&law, p, i, dt, stiffest);
        } else if (flow.limit > 0.0f) {
            flow = stretched_flow(&material, trace_of(f, i), dt, stiffest);
        }
        f->retention[0][i] = flow.retention;
        f->viscosity[0][i] = flow.viscosity;
        f->modulus[0][i] = flow.modulus;
        f->spread[0][i] = flow.spread;
        f->spread_square[0][i] = flow.spread_square;
        f->trace_limit[0][i] = flow.limit;
        f->solvent[0][i] = flow.solvent;
        f->change_weight[0][i] = flow.change_weight;
        f->strength[0][i] = material.cohesive_strength > 0.0 ? (float)material.cohesive_strength : UNBREAKABLE;
        if (f->tension[0] != NULL) {
            f->tension[0][i] = (float)material.surface_tension;
            f->wetting[0][i] = wetting;
        }
        p->mobility[0][i] = p->carrier[0][i] > 0 ? 0.0f : p->specific_volume[0][i];
        for (int a = 0; a < 3; a++) {
            p->change[a][i] = 0.0f;
        }
    }
}

/* Stored stabilization forces balance each other only while all particles of a body have them. Molten particles have
 * lost theirs, and the rest would accelerate frozen ones: so the memory is disabled while a body is partly molten. */
static void clear_memory(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        for (int a = 0; a < 3 && step->materials[p->material[0][i]].frozen_modulus > 0.0; a++) {
            f->hourglass_force[a][i] = 0.0f;
        }
    }
}

void dlp__physical_prepare_materials(const dlp__PhysicalSolver *solver)
{
    static const dlp__Stage forget_stage = {.name = "physical clear memory",
                                            .function = clear_memory,
                                            .reads = {DLP_FIELD_material},
                                            .writes = {OWN_hourglass_force}};
    static const dlp__Stage stage = {
        .name = "physical prepare",
        .function = prepare,
        .reads = {DLP_FIELD_material, DLP_FIELD_temperature, DLP_FIELD_enthalpy, DLP_FIELD_carrier,
                  DLP_FIELD_specific_volume, OWN_conformation, OWN_strain_rate, LAW_STATE_FIELDS},
        .writes = {OWN_retention, OWN_viscosity, OWN_modulus, OWN_spread, OWN_spread_square, OWN_trace_limit,
                   OWN_solvent, OWN_change_weight, OWN_strength, OWN_tension, OWN_wetting, DLP_FIELD_mobility,
                   DLP_FIELD_change}};
    dlp__StepContext *step = solver->step;
    dlp__motion_prepare(step);
    dlp__run(step->domains, &stage, step);
    if (solver->melting) {
        dlp__run(step->domains, &forget_stage, step);
    }
}

/* Pa.s, in steady shear. A stretched FENE-P fluid relaxes faster towards a smaller tensor, so it is f times less viscous. */
static double steady_viscosity(const dlp_MaterialDef *material, double stiffening)
{
    const double tau = dlp__maxwell_time(material);
    if (isinf(tau)) {
        return DLP_SOLID_VISCOSITY;
    }
    const double viscosity = material->viscosity > 0.0 ? material->viscosity : material->modulus * tau;
    return fmin(viscosity / stiffening + material->solvent_viscosity, DLP_SOLID_VISCOSITY);
}

/* Stress and viscosity of a material with a law. */
static dlp__Rheology law_rheology(const dlp_MaterialDef *material, const dlp__Particles *particles, int64_t i)
{
    dlp__Rheology rheology = {.modulus = 1.0, .viscous = dlp__physical_law_viscosity(material, particles, i)};
    const double rate = fmax(dlp__physical_shear_rate(particles, i), 1e-9);
    const double steady = dlp_material_shear_stress(material, rate) / rate;
    rheology.viscosity = isfinite(steady) ? fmin(steady, DLP_SOLID_VISCOSITY) : DLP_SOLID_VISCOSITY;
    dlp__physical_law_stress(material, particles, i, rheology.conformation);
    return rheology;
}

/* The law of `prepare` and of the stage that updates the stress, at the end of a step. The stress of a step that is much longer
 * than the relaxation time is viscous: nothing is stored then. */
dlp__Rheology dlp__physical_rheology(const dlp__RheologyContext *context, const dlp__Particles *particles, int64_t i)
{
    const dlp__PhysicalFields *f = dlp__own_fields(particles);
    const dlp_MaterialDef material = dlp__heat_material(context->heat, context->materials, particles, i);
    if (dlp__physical_has_law(&material)) {
        return law_rheology(&material, particles, i);
    }
    const double dt = context->dt > 0.0 ? context->dt
                                        : 1e-9; /* before the first step nothing is stored: any short one */
    const double stiffest = stiffest_viscosity(&material, context->spacing, dt);
    const double stiffening = dlp__maxwell_stiffening(dlp__maxwell_limit(&material), trace_of(f, i));
    const dlp__MaxwellFlow flow = dlp__maxwell_limit(&material) > 0.0
                                      ? stretched_flow(&material, trace_of(f, i), dt, stiffest)
                                      : dlp__maxwell_flow(&material, dt, stiffest);
    dlp__Rheology rheology = {.modulus = (double)flow.modulus,
                              .viscous = (double)flow.solvent + (flow.retention > 0.0f ? 0.0 : (double)flow.viscosity),
                              .viscosity = steady_viscosity(&material, stiffening)};
    for (int n = 0; n < 6; n++) {
        rheology.conformation[n] = (double)f->conformation[n][i];
    }
    return rheology;
}
