/* The loops of the density constraint; its equations are in density_pairs.h. */
#include "pressure/density_stages.h"

#include "pressure/density_pairs.h"

static void start(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__DensityArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->start[a][i] = p->position[a][i] - p->correction[a][i] - arguments->dt * p->velocity[a][i];
        }
    }
    for (int64_t i = begin; i < end; i++) {
        p->multiplier[0][i] *= arguments->keep;
    }
}

/* The boundary samples of particles from i on: none if walls are not included. */
DLP_INLINE dlp__Lanes wall_lanes(const dlp__StageContext *c, int64_t i)
{
    const dlp__DensityArguments *arguments = c->arguments;
    dlp__Lanes lanes = dlp__lanes(c->boundary, i);
    lanes.longest = arguments->walls ? lanes.longest : 0;
    return lanes;
}

/* Neighbours are those of the predicted positions; a pair that separates within the step is far apart in both. */
DLP_INLINE void before_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__DensityArguments *arguments = c->arguments;
    const dlp__Kernel *kernel = &arguments->kernel;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), volume = dlp__wide(arguments->volume);
    const dlp__Wide dt = dlp__wide(arguments->dt);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__Wide sum = dlp__wide(arguments->self);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            sum += dlp__wide_where(pair.there, volume * dlp__pair_value(kernel, pair.r, kind));
        }
        lanes = wall_lanes(c, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->samples->position_volume, &at);
            /* wall position at the start of the step */
            dlp__WideRow motion = dlp__wide_rows(c->samples->velocity_friction, pair.index);
            dlp__Wide x = pair.x + dt * motion.x, y = pair.y + dt * motion.y, z = pair.z + dt * motion.z;
            dlp__Wide r = dlp__wide_sqrt(x * x + y * y + z * z);
            sum += dlp__wide_where(pair.there, pair.w * dlp__pair_value(kernel, r, kind));
        }
        dlp__Wide compression = dlp__wide_max(sum * dlp__wide(arguments->per_rest) - one, zero);
        dlp__wide_store(c->particles->allowed[0] + i, one + dlp__wide(arguments->carry) * compression);
    }
}

static void before(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__DensityArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, before_range, c, begin, end)
}

DLP_INLINE void measure_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__DensityArguments *arguments = c->arguments;
    const dlp__Kernel *kernel = &arguments->kernel;
    dlp__Particles *p = c->particles;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        ConstraintSums fluid = {zero, zero, zero, zero, zero, zero}, solid = fluid;
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            add_constraint(&fluid, &pair, kernel, volume, pair.w, kind);
        }
        lanes = wall_lanes(c, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->samples->position_volume, &at);
            add_constraint(&solid, &pair, kernel, pair.w, zero, kind);
        }
        /* C_i (eq. 1), and its derivative by p_i (the denominator of eq. 11). */
        dlp__Wide all = dlp__wide(arguments->self) + fluid.value + solid.value;
        dlp__Wide filled = all * dlp__wide(arguments->per_rest);
        dlp__Wide x = fluid.x + solid.x, y = fluid.y + solid.y, z = fluid.z + solid.z;
        dlp__Wide own = x * x + y * y + z * z;
        dlp__Wide stiffness = (own + dlp__wide(arguments->softness)) * at.w + fluid.others;
        dlp__Wide multiplier = dlp__wide_load(p->multiplier[0] + i);
        dlp__Wide change = dlp__wide(arguments->relaxation) * (filled - dlp__wide_load(p->allowed[0] + i)) /
                           (dlp__wide(arguments->dt_squared) * stiffness);
        change = dlp__wide_max(multiplier + change, zero) - multiplier;
        /* The fraction of the flux through solids is assumed to be their fraction of the neighbours' kernel sum. */
        dlp__Wide flux = fluid.moment * dlp__wide(1.0f / 3.0f) * (fluid.value + solid.value) /
                         dlp__wide_max(fluid.value, dlp__wide(1e-6f));
        dlp__wide_store(p->density[0] + i, filled / at.w);
        dlp__wide_store(p->pressure[0] + i, multiplier * flux);
        dlp__wide_store(p->multiplier_change[0] + i, change);
    }
}

static void measure(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__DensityArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, measure_range, c, begin, end)
}

static const float MAX_GUESS_MOVE = 0.1f; /* of the support, upper limit of the displacement by the initial guess */

/* Add to each boundary sample the displacement of its particle due to it: `factor` times p grad W. */
DLP_INLINE void record_sample_moves(const dlp__StageContext *c, int64_t i, const dlp__WideRow *at, dlp__Wide factor,
                                    dlp_KernelKind kind)
{
    const dlp__DensityArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f);
    const dlp__Lanes lanes = wall_lanes(c, i);
    for (int32_t k = 0; k < lanes.longest; k++) {
        dlp__Pair pair = dlp__pair(&lanes, k, c->samples->position_volume, at);
        MoveSums move = {zero, zero, zero};
        add_move(&move, &pair, &arguments->kernel, pair.w, at->w, kind);
        const int64_t row = pair.index - c->boundary->entry;
        const dlp__Wide moved[3] = {move.x, move.y, move.z};
        for (int a = 0; a < 3; a++) {
            float *to = c->samples->displacement[a] + row;
            dlp__wide_store(to, dlp__wide_load(to) + factor * moved[a]);
        }
    }
}

/* Move by the multipliers in the rows: first those of the last step and the artificial pressure, later the changes,
 * which are then added to the multiplier. */
DLP_INLINE void move_range(const dlp__StageContext *c, int64_t begin, int64_t end, bool first, dlp_KernelKind kind)
{
    const dlp__DensityArguments *arguments = c->arguments;
    const dlp__Kernel *kernel = &arguments->kernel;
    dlp__Particles *p = c->particles;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    const dlp__Wide farthest = dlp__wide(MAX_GUESS_MOVE * kernel->support);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__Wide specific_volume = dlp__wide_load(p->specific_volume[0] + i);
        MoveSums sums = {zero, zero, zero};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__Wide pressure = at.w + pair.w;
            if (first) {
                pressure += dlp__wide(arguments->tensile) *
                            tensile_ratio(&pair, kernel, arguments->per_reference, kind);
            }
            add_move(&sums, &pair, kernel, volume, pressure, kind);
        }
        lanes = wall_lanes(c, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->samples->position_volume, &at);
            add_move(&sums, &pair, kernel, pair.w, at.w, kind);
        }
        dlp__Wide factor = zero - dlp__wide(arguments->dt_squared) * specific_volume;
        if (first) { /* only a guess: the pressure of a past impact must not throw particles about */
            dlp__Wide size = dlp__wide_sqrt(sums.x * sums.x + sums.y * sums.y + sums.z * sums.z);
            factor = dlp__wide_max(factor, zero - farthest / dlp__wide_max(size, dlp__wide(1e-30f)));
        }
        if (c->samples->displacement[0] != NULL) {
            record_sample_moves(c, i, &at, factor, kind);
        }
        const dlp__Wide position[3] = {at.x, at.y, at.z}, sum[3] = {sums.x, sums.y, sums.z};
        for (int a = 0; a < 3; a++) {
            dlp__Wide move = factor * sum[a];
            dlp__wide_store(p->position[a] + i, position[a] + move);
            dlp__wide_store(p->correction[a] + i, dlp__wide_load(p->correction[a] + i) + move);
        }
        if (!first) {
            dlp__wide_store(p->multiplier[0] + i, dlp__wide_load(p->multiplier[0] + i) + at.w);
        }
    }
}

static void guess(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__DensityArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, move_range, c, begin, end, true)
}

static void move(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__DensityArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, move_range, c, begin, end, false)
}

const dlp__DensityStages DLP_WIDE(dlp__density_stages) = {
    .begin = {.name = "density begin",
              .function = start,
              .reads = {DLP_FIELD_correction, DLP_FIELD_position, DLP_FIELD_velocity},
              .writes = {DLP_FIELD_start, DLP_FIELD_multiplier}},
    .before = {.name = "density before",
               .function = before,
               .gathers = {DLP_ROW_VECTOR(DLP_FIELD_start)},
               .writes = {DLP_FIELD_allowed}},
    .guess = {.name = "density guess",
              .function = guess,
              .reads = {DLP_FIELD_specific_volume},
              .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_multiplier)},
              .writes = {DLP_FIELD_position, DLP_FIELD_correction}},
    .measure = {.name = "density",
                .function = measure,
                .reads = {DLP_FIELD_allowed, DLP_FIELD_multiplier},
                .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_specific_volume)},
                .writes = {DLP_FIELD_density, DLP_FIELD_pressure, DLP_FIELD_multiplier_change}},
    .move = {.name = "density move",
             .function = move,
             .reads = {DLP_FIELD_specific_volume},
             .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_multiplier_change)},
             .writes = {DLP_FIELD_position, DLP_FIELD_correction, DLP_FIELD_multiplier}},
};
