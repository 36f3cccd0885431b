/* The loops of SPH in method blend; their pair equations are in blend_pairs.h. */
#include "methods/blend/blend_stages.h"

#include "methods/blend/blend_fields.h"
#include "methods/blend/blend_pairs.h"

/* rho_i of section 3.1 with walls, and p = rho_0 c^2 (rho / rho_0 - 1) where that is compressed. Beyond twice the rest density pressure
 * does not grow: explicit steps would be unstable there. */
DLP_INLINE void density_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__BlendPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), volume = dlp__wide(plan->volume);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        const dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__Wide sum = dlp__wide(plan->self);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            sum += dlp__wide_where(pair.there, volume * dlp__pair_value(&plan->kernel, pair.r, kind));
        }
        lanes = dlp__lanes(c->boundary, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->samples->position_volume, &at);
            sum += dlp__wide_where(pair.there, pair.w * dlp__pair_value(&plan->kernel, pair.r, kind));
        }
        dlp__Wide filled = sum * dlp__wide(plan->per_rest);
        dlp__Wide compression = dlp__wide(plan->square) * dlp__wide_min(dlp__wide_max(filled - one, zero), one);
        dlp__wide_store(p->density[0] + i, filled / at.w);
        dlp__wide_store(p->pressure[0] + i, compression / at.w);
    }
}

static void density(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__BlendPlan *plan = c->arguments;
    DLP_BY_KERNEL(plan->kernel.kind, density_range, c, begin, end)
}

/* The fields of the rows of `forces`. */
enum { AT_PRESSURE, VELOCITY_VISCOSITY, WEIGHTS };

/* Sums of rho_i a_i over the neighbours of particles i, i + 1, ... */
typedef struct Forces {
    Acceleration internal, external; /* by the same object, weighted with alpha, and by others */
} Forces;

DLP_INLINE Forces sum_forces(const dlp__StageContext *c, int64_t i, dlp_KernelKind kind)
{
    const dlp__BlendPlan *plan = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), half = dlp__wide(0.5f), one = dlp__wide(1.0f), two = dlp__wide(2.0f);
    const dlp__Wide tiny = dlp__wide(1e-30f), volume = dlp__wide(plan->volume), shear = dlp__wide(plan->shear);
    const dlp__Wide least = dlp__wide(DLP_KERNEL_LEAST_Q * plan->kernel.support);
    const dlp__WideRow at = dlp__own_rows(c->rows[AT_PRESSURE], i), own = dlp__own_rows(c->rows[VELOCITY_VISCOSITY], i),
                       weights = dlp__own_rows(c->rows[WEIGHTS], i);
    const dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    Forces sum = {{zero, zero, zero}, {zero, zero, zero}};
    for (int32_t k = 0; k < lanes.longest; k++) {
        const dlp__Pair pair = dlp__pair(&lanes, k, c->rows[AT_PRESSURE], &at);
        const dlp__WideRow other = dlp__wide_rows(c->rows[VELOCITY_VISCOSITY], pair.index),
                           their = dlp__wide_rows(c->rows[WEIGHTS], pair.index);
        const dlp__Wide slope = dlp__wide_where(pair.there, dlp__pair_slope(&plan->kernel, pair.r, kind));
        const dlp__Wide rate = separation_rate(&pair, &own, &other, least * least);
        const dlp__WideMask apart = dlp__wide_not(dlp__wide_both(dlp__wide_not(dlp__wide_less(weights.y, their.y)),
                                                                 dlp__wide_not(dlp__wide_less(their.y, weights.y))));
        const dlp__Wide alpha = dlp__wide_select(apart, one, half * (weights.x + their.x));
        const dlp__Wide viscosity = two * own.w * other.w / dlp__wide_max(own.w + other.w, tiny);
        const dlp__Wide viscous = viscosity * shear * rate * slope;
        const dlp__Wide size = viscous - alpha * volume * (at.w + pair.w) * slope;
        add_along(&sum.external, &pair, dlp__wide_where(apart, size));
        add_along(&sum.internal, &pair, dlp__wide_where(dlp__wide_not(apart), size));
    }
    return sum;
}

/* Walls press back with the pressure of the particle: the negative gradient of its compression energy. */
DLP_INLINE void add_walls(const dlp__StageContext *c, int64_t i, Acceleration *sum, dlp_KernelKind kind)
{
    const dlp__BlendPlan *plan = c->arguments;
    const dlp__WideRow at = dlp__own_rows(c->rows[AT_PRESSURE], i);
    const dlp__Wide zero = dlp__wide(0.0f), specific = dlp__wide_load(c->particles->specific_volume[0] + i);
    const dlp__Wide dt_squared = dlp__wide(plan->dt * plan->dt);
    const dlp__Lanes lanes = dlp__lanes(c->boundary, i);
    for (int32_t k = 0; k < lanes.longest; k++) {
        const dlp__Pair pair = dlp__pair(&lanes, k, c->samples->position_volume, &at);
        const dlp__Wide slope = dlp__wide_where(pair.there, dlp__pair_slope(&plan->kernel, pair.r, kind));
        Acceleration one = {zero, zero, zero};
        add_along(&one, &pair, zero - pair.w * at.w * slope);
        sum->x += one.x;
        sum->y += one.y;
        sum->z += one.z;
        if (c->samples->displacement[0] != NULL) {
            const int64_t row = pair.index - c->boundary->entry;
            const dlp__Wide moved[3] = {one.x, one.y, one.z};
            for (int a = 0; a < 3; a++) {
                float *to = c->samples->displacement[a] + row;
                dlp__wide_store(to, dlp__wide_load(to) + dt_squared * specific * moved[a]);
            }
        }
    }
}

/* Eqs. 4, 5, 13 and 10. Gravity is added when positions are predicted. */
DLP_INLINE void force_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__BlendPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__BlendFields *f = dlp__own_fields(p);
    const dlp__Wide dt = dlp__wide(plan->dt);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        Forces forces = sum_forces(c, i, kind);
        add_walls(c, i, &forces.external, kind);
        const dlp__WideRow own = dlp__own_rows(c->rows[VELOCITY_VISCOSITY], i);
        const dlp__Wide specific = dlp__wide_load(p->specific_volume[0] + i);
        const dlp__Wide before[3] = {own.x, own.y, own.z},
                        internal[3] = {forces.internal.x, forces.internal.y, forces.internal.z},
                        external[3] = {forces.external.x, forces.external.y, forces.external.z};
        for (int a = 0; a < 3; a++) {
            const dlp__Wide matched = plan->matches ? dlp__wide_load(p->cluster_pull[a] + i) : dlp__wide(0.0f);
            const dlp__Wide velocity = before[a] + dt * (specific * internal[a] + matched);
            dlp__wide_store(f->free_velocity[a] + i, velocity + dlp__wide(plan->dt * plan->gravity[a]));
            dlp__wide_store(p->velocity[a] + i, velocity + dt * (specific * external[a]));
        }
    }
}

static void forces(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__BlendPlan *plan = c->arguments;
    DLP_BY_KERNEL(plan->kernel.kind, force_range, c, begin, end)
}

const dlp__BlendStages DLP_WIDE(dlp__blend_stages) = {
    .density = {.name = "blend density",
                .function = density,
                .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_specific_volume)},
                .writes = {DLP_FIELD_density, DLP_FIELD_pressure}},
    .forces = {.name = "blend forces",
               .function = forces,
               .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_pressure),
                           DLP_ROW_VECTOR_SCALAR(DLP_FIELD_velocity, OWN_viscosity),
                           {{DLP_PART(OWN_alpha, 0), DLP_PART(DLP_FIELD_object, 0), 0, 0}}},
               .reads = {DLP_FIELD_specific_volume, DLP_FIELD_cluster_pull},
               .writes = {DLP_FIELD_velocity, OWN_free_velocity}},
};
