/* Elastic memory of the stabilization force. Walls are left out: a body that leaves a wall must not feel it any more. */
#include "methods/physical/physical_loops.h"

static void memory_flux(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i);
        Flow flow = flow_at(p, i);
        const dlp__Wide zero = dlp__wide(0.0f),
                        stabilization = hourglass_factor(&correction) * flow.viscosity * remembering(c, i);
        dlp__Wide flux[9];
        for (int n = 0; n < 9; n++) {
            flux[n] = zero - stabilization * dlp__wide_load(p->velocity_gradient[n] + i);
        }
        const dlp__Wide u[3] = {dlp__wide_load(p->velocity[0] + i), dlp__wide_load(p->velocity[1] + i),
                                dlp__wide_load(p->velocity[2] + i)};
        store_flux(c, i, flux, u, stabilization);
    }
}

/* Per-step decay of the stored force; without it the edges of a jelly break off on impact. The decay is faster where waves cross
 * more spacings than the root of MEMORY_WAVE, because stored forces would rotate bodies that stiff. */
static const float MEMORY_DECAY = 0.999f, MEMORY_WAVE = 1e3f;

/* Rotate a force with the fluid. */
DLP_INLINE void rotate_with_fluid(dlp__Wide force[3], const dlp__Wide gradient[9], dlp__Wide dt)
{
    const dlp__Wide half = dlp__wide(0.5f) * dt, tiny = dlp__wide(1e-30f);
    dlp__Wide x = half * (gradient[7] - gradient[5]), y = half * (gradient[2] - gradient[6]),
              z = half * (gradient[3] - gradient[1]); /* the spin's axis times dt */
    dlp__Wide turned[3] = {force[0] + y * force[2] - z * force[1], force[1] + z * force[0] - x * force[2],
                           force[2] + x * force[1] - y * force[0]};
    dlp__Wide before = force[0] * force[0] + force[1] * force[1] + force[2] * force[2];
    dlp__Wide after = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2];
    dlp__Wide kept = dlp__wide_sqrt(before / dlp__wide_max(after, tiny));
    for (int a = 0; a < 3; a++) {
        force[a] = kept * turned[a];
    }
}

/* The force of a strain of one tenth over a spacing. */
DLP_INLINE dlp__Wide force_limit(const dlp__PhysicalArguments *arguments, const Flow *flow)
{
    return dlp__wide(0.1f * arguments->per_spacing) * flow->modulus;
}

/* The stabilization of particles index[0], index[1], ... */
DLP_INLINE dlp__Wide stabilization_of(const float *long_rows, const int32_t *index)
{
    return long_row_quarter(long_rows, index, 3).w;
}

/* Sum of the weights w_ij of all pairs of particles i, i + 1, ..., times the stabilization of both. */
DLP_INLINE dlp__Wide sum_pair_weights(const dlp__StageContext *c, int64_t i)
{
    dlp__Wide sum = dlp__wide(0.0f), own = stabilization_of(c->long_rows + DLP_LONG_ROW * i, DLP_LANES);
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    const float *slopes = dlp__pair_weights(c, i);
    for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
        sum -= dlp__wide_load(slopes) * (own + stabilization_of(c->long_rows, lanes.entry + (int64_t)k * DLP_GROUP));
    }
    return sum;
}

/* The stored force decays as the body is strained, because it belongs to other neighbours then. A lone particle stores none,
 * and no force exceeds that of a strain of one tenth over a spacing: the excess is left for redistribute_memory(). */
static void update_memory(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), tiny = dlp__wide(1e-30f);
    const dlp__Wide dt = dlp__wide(arguments->dt), slow = dlp__wide(MEMORY_WAVE);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide force[3], last[3], gradient[9];
        Flow flow = flow_at(p, i);
        dlp__WideMask has_memory = dlp__wide_both(dlp__wide_less(zero, flow.retention),
                                                  dlp__wide_less(zero, dlp__wide_load(p->correction_matrix[0] + i)));
        force_at(c, i, false, true, force);
        for (int a = 0; a < 3; a++) {
            last[a] = dlp__wide_load(f->hourglass_force[a] + i);
        }
        for (int n = 0; n < 9; n++) {
            gradient[n] = dlp__wide_load(p->velocity_gradient[n] + i);
        }
        rotate_with_fluid(last, gradient, dt);
        dlp__Wide kept = flow.retention * dlp__wide(MEMORY_DECAY) * slow /
                         (slow + wave_travel_squared(p, i, arguments, flow.modulus));
        dlp__Wide size = zero;
        kept *= remembering(c, i) / (one + dt * strain_rate(gradient));
        for (int a = 0; a < 3; a++) {
            force[a] += kept * last[a];
            size += force[a] * force[a];
        }
        dlp__Wide most = force_limit(arguments, &flow);
        dlp__Wide part = most / dlp__wide_max(dlp__wide_sqrt(size), dlp__wide_max(most, tiny));
        dlp__Wide weights = sum_pair_weights(c, i), share = one / dlp__wide_max(weights, tiny);
        share = dlp__wide_where(dlp__wide_both(has_memory, dlp__wide_less(zero, weights)), share);
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(f->hourglass_force[a] + i, dlp__wide_where(has_memory, part * force[a]));
            dlp__wide_store(f->excess_force[a] + i, (one - part) * force[a]);
        }
        dlp__wide_store(f->excess_share[0] + i, share);
    }
}

/* Add the excess of neighbours: forces that were in balance must stay so, or a body would accelerate itself. Force
 * above twice the limit is lost. (Force lost by decay is not redistributed: edges that lose it as a jelly bounces would
 * pass it back and forth until they break off.) */
static void redistribute_memory(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide tiny = dlp__wide(1e-30f);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide force[3];
        for (int a = 0; a < 3; a++) {
            force[a] = dlp__wide_load(f->hourglass_force[a] + i);
        }
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        const float *slopes = dlp__pair_weights(c, i);
        const dlp__Wide own = stabilization_of(c->long_rows + DLP_LONG_ROW * i, DLP_LANES);
        for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
            const int32_t *index = lanes.entry + (int64_t)k * DLP_GROUP;
            dlp__WideRow left = dlp__wide_rows(c->rows[0], index);
            dlp__Wide weight = dlp__wide_load(slopes) * (own + stabilization_of(c->long_rows, index)) * left.w;
            force[0] -= weight * left.x;
            force[1] -= weight * left.y;
            force[2] -= weight * left.z;
        }
        Flow flow = flow_at(p, i);
        dlp__Wide most = dlp__wide(2.0f) * force_limit(arguments, &flow);
        dlp__Wide size = dlp__wide_sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
        dlp__Wide part = most / dlp__wide_max(size, dlp__wide_max(most, tiny));
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(f->hourglass_force[a] + i, part * force[a]);
        }
    }
}

const dlp__PhysicalMemoryStages DLP_WIDE(dlp__physical_memory_stages) = {
    .flux = {.name = "physical memory flux",
             .function = memory_flux,
             .reads = {DLP_FIELD_position, DLP_FIELD_velocity, DLP_FIELD_correction_matrix, DLP_FIELD_velocity_gradient,
                       OWN_law_memory, FLOW_FIELDS},
             .writes_long_rows = true},
    .update = {.name = "physical memory update",
               .function = update_memory,
               .reads = {DLP_FIELD_correction_matrix, DLP_FIELD_velocity_gradient, DLP_FIELD_specific_volume,
                         OWN_law_memory, FLOW_FIELDS},
               .writes = {OWN_hourglass_force, OWN_excess_force, OWN_excess_share},
               .pair_weights = DLP_PAIRS_READ,
               .gathers_long_rows = true,
               .long_rows_move = true},
    .redistribute = {.name = "physical memory redistribution",
                     .function = redistribute_memory,
                     .gathers = {DLP_ROW_VECTOR_SCALAR(OWN_excess_force, OWN_excess_share)},
                     .reads = {FLOW_FIELDS},
                     .writes = {OWN_hourglass_force},
                     .pair_weights = DLP_PAIRS_READ,
                     .gathers_long_rows = true},
};
