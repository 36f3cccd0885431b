/* The linear system: right side, operator and its diagonal. */
#include "methods/physical/physical_loops.h"

/* The approximate diagonal of the operator: the resistance of a particle and its neighbours to its own motion. */
static void diagonal(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide one = dlp__wide(1.0f), zero = dlp__wide(0.0f), two = dlp__wide(2.0f);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        dlp__Wide sum = dlp__wide(arguments->inertia) / dlp__wide_load(p->specific_volume[0] + i);
        const float *slopes = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
            const int32_t *index = lanes.entry + (int64_t)k * DLP_GROUP;
            dlp__WideRow there = dlp__wide_rows(c->rows[0], index), other = dlp__wide_rows(c->rows[1], index);
            dlp__Wide slope = dlp__wide_load(slopes);
            dlp__Wide x = slope * (at.x - there.x), y = slope * (at.y - there.y), z = slope * (at.z - there.z);
            dlp__Wide stiff = dlp__wide(arguments->dt) * (own.y + other.y) + two * (own.x + other.x);
            sum += stiff * (x * x + y * y + z * z) - slope * (at.w + there.w);
        }
        dlp__Wide free = dlp__wide_load(p->mobility[0] + i); /* 0 where velocity is prescribed */
        dlp__wide_store(p->mobility[0] + i, dlp__wide_where(dlp__wide_less(zero, free), one / sum));
    }
}

DLP_INLINE void right_side_range(const dlp__StageContext *c, int64_t begin, int64_t end, bool walls)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide one = dlp__wide(1.0f), dt = dlp__wide(arguments->dt);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        Flow flow = flow_at(p, i);
        dlp__Wide force[3], kept = dt * (one - flow.end_weight * (one - flow.retention));
        force_at(c, i, walls, true, force);
        dlp__Wide density = one / dlp__wide_load(p->specific_volume[0] + i);
        for (int a = 0; a < 3; a++) {
            dlp__Wide remembered = kept * dlp__wide_load(f->hourglass_force[a] + i);
            dlp__Wide momentum = density * dlp__wide(arguments->kick[a]) - force[a] - remembered;
            if (arguments->has_wetting) {
                momentum += dt * dlp__wide_load(f->wall_pull[a] + i);
            }
            dlp__wide_store(p->residual[a] + i, momentum);
        }
    }
}

static void right_side(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    right_side_range(c, begin, end, false);
}

static void right_side_walls(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    right_side_range(c, begin, end, true);
}

/* Inertia against zero-energy modes, in pressure times dt squared; 1 is just enough. */
static const float PRESSURE_INERTIA = 2.0f;

/* A stretched fluid is under tension: the more it is stretched, the more it resists a change of its motion. The
 * pressure is that of the start of the step, and in long steps the layers under pressure would oscillate against each
 * other. So zero-energy modes get more inertia the higher the pressure is, which dissipates no energy. */
static void update_stiffness(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i), q = load_symmetric(f->conformation, i);
        Flow flow = flow_at(p, i);
        dlp__Wide tension = dlp__wide(1.0f) + flow.retention * dlp__wide_max(q.xx + q.yy + q.zz, dlp__wide(0.0f));
        dlp__Wide dt = dlp__wide(arguments->dt), stored = flow.viscosity * tension;
        dlp__Wide viscous = flow.new_weight * stored + flow.solvent_weight * flow.solvent;
        /* the stabilization is of first order in time, and implicit: its share of the stress is small */
        dlp__Wide stabilizing = dlp__wide_max(flow.new_weight, flow.end_weight) * stored + flow.solvent;
        if (arguments->has_laws) {
            viscous = dlp__wide_load(f->law_stiffness[0] + i);
            stabilizing = dlp__wide_max(viscous, flow.end_weight * flow.viscosity + flow.solvent);
        }
        dlp__wide_store(f->stiffness[0] + i, dt * viscous);
        dlp__Wide press = dlp__wide_max(dlp__wide_load(p->pressure[0] + i), dlp__wide(0.0f));
        dlp__Wide held = dlp__wide(PRESSURE_INERTIA * arguments->dt * arguments->dt) * press;
        held += dt * dlp__wide_load(f->tension_viscosity[0] + i);
        dlp__wide_store(f->stabilization[0] + i, hourglass_factor(&correction) * (dt * stabilizing + held));
    }
}

DLP_INLINE void flux_range(const dlp__StageContext *c, int64_t begin, int64_t end, bool relative_to_wall)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide dt = dlp__wide(arguments->dt);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i);
        RateSums sums = rates_at(c, i, relative_to_wall);
        dlp__Wide press = dt * dlp__wide_load(f->bulk[0] + i) * divergence_of(&sums, &correction);
        dlp__Wide viscous = dlp__wide_load(f->stiffness[0] + i),
                  stabilization = dlp__wide_load(f->stabilization[0] + i);
        multiply_by_symmetric(sums.viscous, &correction);
        SymmetricMatrix doubled = twice_symmetric(sums.viscous), pressure_flux = scaled(&correction, press);
        SymmetricMatrix stress = scaled(&doubled, viscous);
        if (arguments->has_laws) {
            SymmetricMatrix softened = softening_of(f, i, &doubled);
            stress = weighted(&stress, dlp__wide(1.0f), &softened, dlp__wide(-1.0f) * dt);
        }
        stress.xx += press; /* the pressure flux is press K */
        stress.yy += press;
        stress.zz += press;
        dlp__Wide flux[9];
        times_matrix(&stress, &correction, flux);
        for (int n = 0; n < 9; n++) {
            flux[n] -= stabilization * sums.viscous[n];
        }
        const dlp__Wide u[3] = {dlp__wide_load(p->search[0] + i), dlp__wide_load(p->search[1] + i),
                                dlp__wide_load(p->search[2] + i)};
        store_flux(c, i, flux, u, stabilization);
        store_symmetric(f->pressure_flux, i, &pressure_flux);
    }
}

static void compute_flux(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    flux_range(c, begin, end, false);
}

static void compute_flux_bodies(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    flux_range(c, begin, end, true);
}

DLP_INLINE void divergence_range(const dlp__StageContext *c, int64_t begin, int64_t end, bool walls,
                                 bool relative_to_wall)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide inertia = dlp__wide(arguments->inertia);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide force[3];
        force_at(c, i, walls, relative_to_wall, force);
        dlp__Wide density = inertia / dlp__wide_load(p->specific_volume[0] + i);
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(p->product[a] + i, density * dlp__wide_load(p->search[a] + i) + force[a]);
        }
    }
}

static void apply_divergence(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    divergence_range(c, begin, end, false, false);
}

static void apply_divergence_walls(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    divergence_range(c, begin, end, true, false);
}

static void apply_divergence_bodies(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    divergence_range(c, begin, end, true, true);
}

const dlp__PhysicalOperatorStages DLP_WIDE(dlp__physical_operator_stages) = {
    .right_side = {.name = "physical right side",
                   .function = right_side,
                   .reads = {DLP_FIELD_specific_volume, OWN_hourglass_force, OWN_wall_pull, FLOW_FIELDS},
                   .writes = {DLP_FIELD_residual},
                   .pair_weights = DLP_PAIRS_READ,
                   .gathers_long_rows = true,
                   .long_rows_move = true},
    .right_side_walls = {.name = "physical right side",
                         .function = right_side_walls,
                         .gathers = {PRESSURE_ROWS},
                         .reads = {DLP_FIELD_specific_volume, OWN_hourglass_force, OWN_wall_pull, FLOW_FIELDS},
                         .writes = {DLP_FIELD_residual},
                         .pair_weights = DLP_PAIRS_READ,
                         .gathers_long_rows = true,
                         .long_rows_move = true},
    .stiffness = {.name = "physical stiffness",
                  .function = update_stiffness,
                  .reads = {DLP_FIELD_correction_matrix, DLP_FIELD_pressure, OWN_conformation, OWN_tension_viscosity,
                            OWN_law_stiffness, FLOW_FIELDS},
                  .writes = {OWN_stabilization, OWN_stiffness}},
    .diagonal = {.name = "physical diagonal",
                 .function = diagonal,
                 .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_stabilization),
                             {{DLP_PART(OWN_stiffness, 0), DLP_PART(OWN_bulk, 0), 0, 0}}},
                 .reads = {DLP_FIELD_specific_volume},
                 .writes = {DLP_FIELD_mobility},
                 .pair_weights = DLP_PAIRS_READ},
    .flux = {.name = "physical flux",
             .function = compute_flux,
             .gathers = RATE_ROWS(DLP_FIELD_search),
             .joins_rows = true,
             .reads = {DLP_FIELD_position, DLP_FIELD_search, DLP_FIELD_correction_matrix, OWN_bulk, OWN_stiffness,
                       OWN_stabilization, OWN_law_softening, OWN_law_direction},
             .writes = {OWN_pressure_flux},
             .pair_weights = DLP_PAIRS_READ,
             .writes_long_rows = true},
    .flux_bodies = {.name = "physical flux",
                    .function = compute_flux_bodies,
                    .gathers = RATE_ROWS(DLP_FIELD_search),
                    .joins_rows = true,
                    .reads = {DLP_FIELD_position, DLP_FIELD_search, DLP_FIELD_correction_matrix, OWN_bulk,
                              OWN_stiffness, OWN_stabilization, OWN_law_softening, OWN_law_direction},
                    .writes = {OWN_pressure_flux},
                    .pair_weights = DLP_PAIRS_READ,
                    .writes_long_rows = true},
    .divergence = {.name = "physical divergence",
                   .function = apply_divergence,
                   .reads = {DLP_FIELD_specific_volume, DLP_FIELD_search},
                   .writes = {DLP_FIELD_product},
                   .pair_weights = DLP_PAIRS_READ,
                   .gathers_long_rows = true},
    .divergence_walls = {.name = "physical divergence",
                         .function = apply_divergence_walls,
                         .gathers = {PRESSURE_ROWS},
                         .reads = {DLP_FIELD_specific_volume, DLP_FIELD_search},
                         .writes = {DLP_FIELD_product},
                         .pair_weights = DLP_PAIRS_READ,
                         .gathers_long_rows = true},
    .divergence_bodies = {.name = "physical divergence",
                          .function = apply_divergence_bodies,
                          .gathers = {PRESSURE_ROWS},
                          .reads = {DLP_FIELD_specific_volume, DLP_FIELD_search},
                          .writes = {DLP_FIELD_product},
                          .pair_weights = DLP_PAIRS_READ,
                          .gathers_long_rows = true},
};
