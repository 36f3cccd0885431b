/* Stress and pressure: those that the step starts with, and those that it ends with. */
#include "materials/conformation_tensor.h"
#include "methods/physical/physical_laws.h"
#include "methods/physical/physical_loops.h"

/* w of materials/maxwell.h for a Newtonian fluid. */
static const float NEWTONIAN_CHANGE_WEIGHT = 0.625f;

DLP_INLINE void multiply(const dlp__Wide a[9], const dlp__Wide b[9], dlp__Wide to[9])
{
    for (int n = 0; n < 9; n++) {
        const dlp__Wide *row = a + n / 3 * 3, *column = b + n % 3;
        to[n] = row[0] * column[0] + row[1] * column[3] + row[2] * column[6];
    }
}

/* 2 D, each in the middle of its step. */
typedef struct RateHistory {
    SymmetricMatrix here;   /* of this step, if velocities do not change in it */
    SymmetricMatrix last;   /* of the last step                                */
    SymmetricMatrix change; /* that minus the one of the step before           */
    dlp__Wide largest;      /* size of 2 D, so far, fading                     */
} RateHistory;

DLP_INLINE dlp__Wide squared_size(const SymmetricMatrix *m)
{
    dlp__Wide across = m->xy * m->xy + m->xz * m->xz + m->yz * m->yz;
    return m->xx * m->xx + m->yy * m->yy + m->zz * m->zz + across + across;
}

/* A rate that changes from one step to the next by more than about this fraction of the largest one so far starts or stops. The largest one fades
 * by the second fraction per step: where an oscillation passes through zero, its flow neither starts nor stops. */
static const float SUDDEN = 0.3f, FADING = 1.0f / 64.0f;

/* 1 where a flow starts or stops, 0 where it changes slowly. Second order in time would overshoot there. */
DLP_INLINE dlp__Wide suddenness(const RateHistory *rates)
{
    const dlp__Wide tiny = dlp__wide(1e-30f);
    dlp__Wide change = squared_size(&rates->change);
    dlp__Wide last = dlp__wide(SUDDEN * SUDDEN) * rates->largest * rates->largest;
    dlp__Wide ratio = change / dlp__wide_max(dlp__wide_max(last, change), tiny),
              inverse = last / dlp__wide_max(dlp__wide_max(last, change), tiny);
    return ratio * ratio / dlp__wide_max(ratio * ratio + inverse * inverse, tiny);
}

/* The weights of a step in which the body is strained by `strain`. Waves that cross many spacings in a step cannot be
 * resolved, nor can large strains: both are damped, by integrating closer to implicit Euler. Returns that damping, 0 to 1. */
DLP_INLINE dlp__Wide choose_weights(Flow *flow, const RateHistory *rates, const dlp__Particles *p, int64_t i,
                                    const dlp__PhysicalArguments *arguments, dlp__Wide strain)
{
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const dlp__Wide one = dlp__wide(1.0f);
    dlp__Wide wave = wave_travel_squared(p, i, arguments, flow->retention * flow->modulus);
    dlp__Wide fast = dlp__wide_max(wave / (wave + dlp__wide(10.0f)), strain / (strain + one));
    dlp__Wide damping = dlp__wide_max(dlp__wide(arguments->damping), fast);
    flow->end_weight = one - flow->retention * (one - damping);
    damping = dlp__wide_max(damping, (one - flow->retention) * suddenness(rates));
    flow->new_weight = damping + (one - damping) * dlp__wide_load(f->change_weight[0] + i);
    flow->solvent_weight = damping + (one - damping) * dlp__wide(NEWTONIAN_CHANGE_WEIGHT);
    dlp__wide_store(f->end_weight[0] + i, flow->end_weight);
    dlp__wide_store(f->new_weight[0] + i, flow->new_weight);
    dlp__wide_store(f->solvent_weight[0] + i, flow->solvent_weight);
    return damping;
}

/* The stress of materials/maxwell.h if velocities do not change in this step. A Newtonian fluid stores the stress at the rate of the last
 * step. That rate is the one of then: with the neighbours of now, a fluid that has just met a wall would be thrown back. */
DLP_INLINE SymmetricMatrix stress_of(const Flow *flow, const SymmetricMatrix *q, const dlp__Wide gradient[9],
                                     const RateHistory *rates, dlp__Wide damping, dlp__Wide convecting)
{
    const dlp__Wide one = dlp__wide(1.0f), zero = dlp__wide(0.0f), relaxed = one - flow->retention;
    dlp__Wide carried[9];
    for (int n = 0; n < 9; n++) {
        carried[n] = gradient[n];
    }
    multiply_by_symmetric(carried, q); /* L (Q - I) */
    SymmetricMatrix convected = twice_symmetric(carried);
    dlp__Wide newtonian = dlp__wide_select(dlp__wide_less(zero, flow->modulus), zero, flow->viscosity);
    SymmetricMatrix stored = weighted(q, flow->modulus, &rates->last, newtonian); /* s */
    SymmetricMatrix gain = weighted(&convected, flow->retention * flow->modulus * convecting, &rates->last,
                                    flow->viscosity);
    gain = weighted(&gain, one, &stored, zero - relaxed); /* change of s at the last rate */
    dlp__Wide undamped = one - damping, part = relaxed * (dlp__wide(1.0f / 6.0f) + dlp__wide(0.5f) * relaxed);
    dlp__Wide repeated = damping - undamped * part; /* -p */
    dlp__Wide earlier = undamped * dlp__wide(0.125f), solvent_earlier = flow->solvent * earlier;
    earlier = flow->viscosity * earlier * relaxed * relaxed + solvent_earlier;
    dlp__Wide last = flow->solvent * (one - flow->solvent_weight) - flow->viscosity * flow->new_weight;
    dlp__Wide here = flow->solvent * flow->solvent_weight + flow->viscosity * flow->new_weight;
    SymmetricMatrix rest = weighted(&rates->here, here, &rates->last, last);
    rest = weighted(&rest, one, &rates->change, zero - earlier);
    gain = weighted(&gain, repeated, &rest, one);
    return sum_of(&stored, &gain);
}

/* The same for materials with a law, whose elements are summed in physical_laws.c. */
DLP_INLINE SymmetricMatrix law_stress_of(const dlp__StageContext *c, int64_t i, const RateSums *sums,
                                         const RateHistory *rates, dlp__Wide damping, Flow *flow)
{
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    float damped[DLP_WIDTH] __attribute__((aligned(64)));
    for (int n = 0; n < 9; n++) {
        dlp__wide_store(p->velocity_gradient[n] + i, sums->viscous[n]);
    }
    dlp__wide_store(damped, damping);
    dlp__physical_law_begin(c->arguments, p, i, DLP_WIDTH, damped);
    *flow = flow_at(p, i);
    SymmetricMatrix stored = load_symmetric(f->law_stress, i);
    SymmetricMatrix stress = weighted(&rates->here, dlp__wide_load(f->law_rates[0] + i), &rates->last,
                                      dlp__wide_load(f->law_rates[1] + i));
    stress = weighted(&stress, dlp__wide(1.0f), &rates->change, dlp__wide_load(f->law_rates[2] + i));
    SymmetricMatrix jump = weighted(&rates->here, dlp__wide(1.0f), &rates->last, dlp__wide(-1.0f));
    SymmetricMatrix softened = softening_of(f, i, &jump);
    stress = weighted(&stress, dlp__wide(1.0f), &softened, dlp__wide(-1.0f));
    return sum_of(&stored, &stress);
}

/* Stabilization under tension, tuned on bridges of Maxwell fluids between plates: factor on stress over rate, and the stress at which it
 * begins, as a fraction of the modulus. */
static const float TENSION_FACTOR = 5.0f, TENSION_BEGIN = 0.2f;

/* Least strain of a step in that rate for yield-stress fluids, which do not relax at rest. Without it a bridge of mayonnaise takes twice
 * the iterations. */
static const float LEAST_STRAIN = 3e-3f;

/* Tensile stress of a yield-stress fluid. In uniaxial tension it is three times the negative pressure too; in shear it is zero whatever the
 * pressure is, because the stabilization would slow the flow beside a plug. Where the fluid flows, its rate must be uniaxial as well: a paste that is
 * squeezed out of a gap of 8 spacings would resist 25 % too much. */
DLP_INLINE dlp__Wide plastic_tension(const dlp__PhysicalFields *f, int64_t i, const SymmetricMatrix *stress,
                                     dlp__Wide total, dlp__Wide pressure, dlp__Wide fluid)
{
    const SymmetricMatrix rate = load_symmetric(f->strain_rate, i);
    const dlp__Wide one = dlp__wide(1.0f), along = one - fluid * (one - uniaxial_part(&rate));
    return along * uniaxial_part(stress) * dlp__wide_min(total, dlp__wide(-3.0f) * pressure);
}

/* Tension pulls particles together: a gap grows at the rate of stress over the viscosity that resists zero-energy modes. In a fluid that
 * relaxes, the viscosity of one step is about modulus times dt, much less than that of the flow, and stored forces are limited; in a
 * yield-stress fluid, below the yield stress too, there is no stored force. So the stabilization gets a viscosity of the size of the
 * largest principal stress over the rates of relaxation and strain. */
DLP_INLINE dlp__Wide tension_viscosity_of(const dlp__StageContext *c, int64_t i, const Flow *flow,
                                          const SymmetricMatrix *stress, dlp__Wide pressure, dlp__Wide strain)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), tiny = dlp__wide(1e-6f);
    dlp__Wide total = largest_eigenvalue(stress) - pressure, fluid = fluidity(flow->retention);
    dlp__Wide tension = dlp__wide_max(total - dlp__wide(TENSION_BEGIN) * flow->modulus, zero);
    dlp__Wide relaxed = (one - flow->retention) / dlp__wide_max(flow->retention, tiny); /* dt / tau in short steps */
    dlp__Wide per_strain = fluid * tension / dlp__wide_max(relaxed + strain, tiny);
    if (arguments->has_laws) {
        dlp__Wide plastic = plastic_tension(dlp__own_fields(c->particles), i, stress, total, pressure, fluid);
        plastic = dlp__wide_where(is_plastic(c, i), plastic / (dlp__wide(LEAST_STRAIN) + strain));
        per_strain = dlp__wide_max(per_strain, plastic);
    }
    return dlp__wide_where(dlp__wide_less(zero, flow->retention),
                           dlp__wide(TENSION_FACTOR * arguments->dt) * per_strain);
}

/* Viscosity of the stabilization, over sqrt(density surface_tension spacing): added at a surface, and the least one inside. Disturbed thin fluids gain
 * energy without it until they break up. */
static const float CAPILLARY_VISCOSITY = 0.5f, LEAST_VISCOSITY = 0.15f;

DLP_INLINE dlp__Wide capillary_viscosity(const dlp__StageContext *c, int64_t i, dlp__Wide viscosity)
{
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    dlp__Wide scale = capillary_scale(c, i);
    return dlp__wide_max(dlp__wide(CAPILLARY_VISCOSITY) * dlp__wide_load(f->surface[0] + i) * scale,
                         dlp__wide(LEAST_VISCOSITY) * scale - viscosity);
}

/* Add surface tension to the flux. Images in walls reflect it like pressure, whether fluid slips there or not; its flux is symmetric but for
 * the different directions of surface and correction matrix. */
DLP_INLINE void add_surface_flux(const dlp__StageContext *c, int64_t i, const SymmetricMatrix *correction,
                                 dlp__Wide flux[9], SymmetricMatrix *pressure_flux)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    SymmetricMatrix stress = load_symmetric(f->surface_stress, i);
    dlp__Wide surface[9];
    stress = scaled(&stress, dlp__wide(arguments->dt));
    times_matrix(&stress, correction, surface);
    for (int n = 0; n < 9; n++) {
        flux[n] += surface[n];
    }
    SymmetricMatrix twice = twice_symmetric(surface);
    *pressure_flux = weighted(pressure_flux, dlp__wide(1.0f), &twice, dlp__wide(0.5f));
}

/* Bulk modulus over shear modulus of an elastic solid in automatic steps, and its least value in fixed ones. A solid deforms by G / (3 K) too
 * much: a cube of jelly sags 1.3 % too much, and with 50 it needs a third more iterations. In fixed steps 7 G and the least bulk resistance of
 * fluids come on top of it; with 25 a cube of jelly that oscillates, at 240 steps per second, takes 12.2 iterations instead of 9.6. */
static const float SOLID_BULK = 25.0f, LEAST_SOLID_BULK = 15.0f;

/* Bulk viscosity besides that of viscous fluids. Pressure accumulates the bulk viscosity times the divergence, so bulk viscosity over dt is a
 * bulk modulus. In a fluid it may change from step to step, because the shift restores the density. A solid is not shifted: it would lose volume
 * in every oscillation if it were softer when compressed than when it expands, so in automatic steps its bulk modulus does not depend on dt. A yield-stress fluid counts as a fluid below its yield stress too:
 * with the bulk modulus of a solid, stretched mayonnaise tears open instead of necking. */
DLP_INLINE dlp__Wide volume_resistance(const dlp__StageContext *c, int64_t i, const Flow *flow)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const dlp__Wide specific_volume = dlp__wide_load(p->specific_volume[0] + i), one = dlp__wide(1.0f);
    dlp__Wide depth_factor = dlp__wide(0.2f) + dlp__wide(0.8f) * dlp__wide_load(f->depth[0] + i);
    dlp__Wide fluid = dlp__wide(arguments->bulk_inertia) * depth_factor / specific_volume;
    dlp__Wide part = dlp__wide_select(is_plastic(c, i), one, fluidity(flow->retention));
    dlp__Wide shear = dlp__wide(arguments->dt) * flow->modulus;
    dlp__Wide solid = arguments->dt_varies
                          ? dlp__wide(SOLID_BULK) * shear + dlp__wide(arguments->solid_bulk) / specific_volume
                          : dlp__wide_max(dlp__wide(LEAST_SOLID_BULK) * shear, fluid);
    return part * fluid + (one - part) * solid;
}

static void start_stress(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide dt = dlp__wide(arguments->dt), half = dlp__wide(0.5f);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i), q = load_symmetric(f->conformation, i);
        Flow flow = flow_at(p, i);
        RateSums sums = rates_at(c, i, true);
        dlp__Wide divergence = divergence_of(&sums, &correction), square[9], flux[9];
        multiply_by_symmetric(sums.viscous, &correction);
        dlp__Wide strain = dt * strain_rate(sums.viscous);
        dlp__Wide limited = second_order_limit(sums.viscous, dt);
        multiply(sums.viscous, sums.viscous, square);
        for (int n = 0; n < 9; n++) {
            square[n] = square[n] * limited;
        }
        SymmetricMatrix twice_square = twice_symmetric(square);
        SymmetricMatrix doubled = twice_symmetric(sums.viscous);
        const RateHistory rates = {
            .here = weighted(&doubled, dlp__wide(1.0f), &twice_square, dlp__wide(-1.0f) * half * dt),
            .last = load_symmetric(f->strain_rate, i),
            .change = load_symmetric(f->strain_rate_change, i),
            .largest = dlp__wide_load(f->largest_rate[0] + i)};
        dlp__Wide damping = choose_weights(&flow, &rates, p, i, arguments, strain);
        SymmetricMatrix stress = arguments->has_laws
                                     ? law_stress_of(c, i, &sums, &rates, damping, &flow)
                                     : stress_of(&flow, &q, sums.viscous, &rates, damping, dt * limited);
        dlp__Wide resistance = flow.end_weight * flow.viscosity;
        if (arguments->has_laws) {
            resistance = resistance * dlp__wide_load(f->law_slope[0] + i);
        }
        resistance += flow.solvent;
        /* Volume is kept by det(I + dt L) = 1. */
        dlp__Wide target_divergence = half * dt * (square[0] + square[4] + square[8]);
        dlp__Wide bulk = dlp__wide(arguments->bulk) *
                             (flow.new_weight * flow.viscosity + flow.solvent_weight * flow.solvent) +
                         volume_resistance(c, i, &flow);
        dlp__Wide pressure = dlp__wide_load(p->pressure[0] + i) - bulk * (divergence - target_divergence);
        SymmetricMatrix pressure_flux = scaled(&correction, dlp__wide(-1.0f) * dt * pressure);
        dlp__Wide tension_viscosity = tension_viscosity_of(c, i, &flow, &stress, pressure, strain);
        if (arguments->has_tension) {
            tension_viscosity += capillary_viscosity(c, i, flow.end_weight * flow.viscosity + flow.solvent);
        }
        tension_viscosity = dlp__wide_min(tension_viscosity,
                                          dlp__wide(arguments->stiffest) / dlp__wide_load(p->specific_volume[0] + i));
        dlp__Wide stabilization = hourglass_factor(&correction) * dt * (resistance + tension_viscosity);
        stress = scaled(&stress, dt);
        times_matrix(&stress, &correction, flux);
        const dlp__Wide press[9] = {pressure_flux.xx, pressure_flux.xy, pressure_flux.xz,
                                    pressure_flux.xy, pressure_flux.yy, pressure_flux.yz,
                                    pressure_flux.xz, pressure_flux.yz, pressure_flux.zz};
        for (int n = 0; n < 9; n++) {
            flux[n] += press[n] - stabilization * sums.viscous[n];
        }
        if (arguments->has_tension) {
            add_surface_flux(c, i, &correction, flux, &pressure_flux);
        }
        dlp__Wide u[3] = {dlp__wide_load(p->velocity[0] + i), dlp__wide_load(p->velocity[1] + i),
                          dlp__wide_load(p->velocity[2] + i)};
        store_flux(c, i, flux, u, stabilization);
        store_symmetric(f->pressure_flux, i, &pressure_flux);
        dlp__wide_store(f->stabilization[0] + i, stabilization);
        dlp__wide_store(f->tension_viscosity[0] + i, tension_viscosity);
        dlp__wide_store(f->bulk[0] + i, bulk);
        dlp__wide_store(f->target_divergence[0] + i, target_divergence);
    }
}

/* The tensor stops growing at this stretch, a hundredfold: a torn fluid must not overflow single precision. */
static const float MOST_STRETCH = 1e4f;

/* One over f of dlp__maxwell_stretched(): Q relaxes towards this times I. */
DLP_INLINE dlp__Wide relaxed_trace(const Flow *flow, const SymmetricMatrix *q)
{
    const dlp__Wide one = dlp__wide(1.0f), three = dlp__wide(3.0f);
    dlp__Wide left = dlp__wide_max(flow->trace_limit - three - (q->xx + q->yy + q->zz),
                                   dlp__wide(1e-3f) * flow->trace_limit);
    return dlp__wide_select(dlp__wide_less(three, flow->trace_limit), left / (flow->trace_limit - three), one);
}

/* The fraction of Q - I within the finite extensibility and MOST_STRETCH. */
DLP_INLINE dlp__Wide bounded_fraction(const Flow *flow, const SymmetricMatrix *q)
{
    const dlp__Wide zero = dlp__wide(0.0f), three = dlp__wide(3.0f), most = dlp__wide(MOST_STRETCH);
    dlp__Wide largest = dlp__wide_max(q->xx, dlp__wide_max(q->yy, q->zz)), part = most / dlp__wide_max(largest, most);
    dlp__Wide allowed = dlp__wide(0.999f) * flow->trace_limit - three,
              stretched = dlp__wide_max(q->xx + q->yy + q->zz, allowed);
    part = dlp__wide_select(dlp__wide_less(three, flow->trace_limit), dlp__wide_min(part, allowed / stretched), part);
    return dlp__wide_where(dlp__wide_less(zero, flow->retention), part);
}

/* The conformation after the step, and the stress without pressure. */
DLP_INLINE SymmetricMatrix advance_conformation(const Flow *flow, SymmetricMatrix *q, const dlp__Wide gradient[9],
                                                const SymmetricMatrix *doubled, dlp__Wide limited, dlp__Wide dt)
{
    const dlp__Wide one = dlp__wide(1.0f);
    SymmetricMatrix stretched = stretched_square(gradient);
    dlp__Wide rest = relaxed_trace(flow, q);
    *q = convect(q, gradient, dt);
    *q = weighted(q, flow->retention, doubled, flow->spread * limited * rest);
    *q = weighted(q, one, &stretched, flow->spread_square * rest);
    dlp__Wide shrink = (one - flow->retention) * (one - rest);
    q->xx -= shrink;
    q->yy -= shrink;
    q->zz -= shrink;
    *q = scaled(q, bounded_fraction(flow, q));
    return weighted(q, flow->modulus, doubled, flow->viscosity * (one - flow->retention) + flow->solvent);
}

/* The same for materials with a law. */
DLP_INLINE SymmetricMatrix advance_law(const dlp__StageContext *c, int64_t i, dlp__Wide limited, SymmetricMatrix *q)
{
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    float limit[DLP_WIDTH] __attribute__((aligned(64)));
    dlp__wide_store(limit, limited);
    dlp__physical_law_end(c->arguments, c->particles, i, DLP_WIDTH, limit);
    *q = load_symmetric(f->conformation, i);
    return load_symmetric(c->particles->stress, i);
}

/* Tensile stress beyond the strength of the material: it gives way. Memory of strain is lost in proportion, and the pressure rises by the rest,
 * so that the fluid opens there. Returns the part of the memory that is left. */
DLP_INLINE dlp__Wide limit_tension(dlp__Wide strength, SymmetricMatrix *q, SymmetricMatrix *stress, dlp__Wide *pressure)
{
    const dlp__Wide zero = dlp__wide(0.0f), tiny = dlp__wide(1e-6f);
    dlp__Wide most = largest_eigenvalue(stress), tension = most - *pressure;
    dlp__WideMask breaks = dlp__wide_less(strength, tension);
    dlp__Wide kept = dlp__wide_select(breaks, strength / dlp__wide_max(tension, tiny), dlp__wide(1.0f));
    *q = scaled(q, kept);
    *stress = scaled(stress, kept);
    *pressure = *pressure + dlp__wide_where(breaks, dlp__wide_max(kept * most - strength - *pressure, zero));
    return kept;
}

/* The rate of this step for stress_of() in the next ones: 2 D in the middle of the step. */
DLP_INLINE void store_rate(const dlp__PhysicalFields *f, int64_t i, const dlp__Wide gradient[9],
                           const SymmetricMatrix *doubled, dlp__Wide dt)
{
    const dlp__Wide one = dlp__wide(1.0f), half = dlp__wide(0.5f);
    dlp__Wide square[9];
    multiply(gradient, gradient, square);
    SymmetricMatrix twice_square = twice_symmetric(square), before = load_symmetric(f->strain_rate, i);
    SymmetricMatrix rate = weighted(doubled, one, &twice_square, dlp__wide(-1.0f) * half * dt);
    SymmetricMatrix change = weighted(&rate, one, &before, dlp__wide(-1.0f));
    store_symmetric(f->strain_rate, i, &rate);
    store_symmetric(f->strain_rate_change, i, &change);
    dlp__Wide size = dlp__wide_sqrt(squared_size(&rate)),
              faded = dlp__wide(1.0f - FADING) * dlp__wide_load(f->largest_rate[0] + i);
    dlp__wide_store(f->largest_rate[0] + i, dlp__wide_max(size, faded));
}

static void update_stress(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide one = dlp__wide(1.0f);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i), q = load_symmetric(f->conformation, i);
        Flow flow = flow_at(p, i);
        RateSums sums = rates_at(c, i, true);
        dlp__Wide excess = divergence_of(&sums, &correction) - dlp__wide_load(f->target_divergence[0] + i);
        dlp__Wide pressure = dlp__wide_load(p->pressure[0] + i) - dlp__wide_load(f->bulk[0] + i) * excess;
        /* Free surfaces support negative pressure only in fluid too viscous to tear within a step. In a fluid that relaxes that is its modulus,
         * which the radial stress of a stretched thread never exceeds. */
        dlp__Wide weight = flow.new_weight + fluidity(flow.retention) * (one - flow.new_weight);
        dlp__Wide most_pull = dlp__wide(-1.0f / arguments->dt) * (weight * flow.viscosity + flow.solvent);
        dlp__WideMask deep = dlp__wide_less(dlp__wide(0.99f), dlp__wide_load(f->depth[0] + i));
        pressure = dlp__wide_select(deep, pressure, dlp__wide_max(pressure, most_pull));
        /* A particle without neighbours would keep its pressure and burst when it meets others. */
        pressure = dlp__wide_where(dlp__wide_less(dlp__wide(0.0f), correction.xx), pressure);
        multiply_by_symmetric(sums.viscous, &correction);
        for (int n = 0; n < 9; n++) {
            dlp__wide_store(p->velocity_gradient[n] + i, sums.viscous[n]);
        }
        dlp__Wide limited = second_order_limit(sums.viscous, dlp__wide(arguments->dt));
        SymmetricMatrix doubled = twice_symmetric(sums.viscous);
        store_rate(f, i, sums.viscous, &doubled, limited * dlp__wide(arguments->dt));
        for (int n = 0; n < 9; n++) {
            sums.viscous[n] = sums.viscous[n] * limited;
        }
        SymmetricMatrix stress = arguments->has_laws ? advance_law(c, i, limited, &q)
                                                     : advance_conformation(&flow, &q, sums.viscous, &doubled, limited,
                                                                            dlp__wide(arguments->dt));
        if (arguments->has_strength) {
            float left[DLP_WIDTH] __attribute__((aligned(64)));
            dlp__wide_store(left, limit_tension(dlp__wide_load(f->strength[0] + i), &q, &stress, &pressure));
            if (arguments->has_laws) {
                dlp__physical_law_break(p, i, DLP_WIDTH, left);
            }
        }
        dlp__wide_store(p->pressure[0] + i, pressure);
        store_symmetric(f->conformation, i, &q);
        stress.xx -= pressure;
        stress.yy -= pressure;
        stress.zz -= pressure;
        store_symmetric(p->stress, i, &stress);
    }
}

/* clang-format off */
#define LAW_READS       DLP_FIELD_material, DLP_FIELD_temperature, DLP_FIELD_enthalpy
#define LAW_FLOW_FIELDS OWN_law_stress, OWN_law_rates, OWN_law_stiffness, OWN_law_softening, OWN_law_direction, OWN_law_slope, \
                        OWN_law_memory, OWN_retention, OWN_viscosity, OWN_modulus, OWN_solvent
/* clang-format on */

const dlp__PhysicalStressStages DLP_WIDE(dlp__physical_stress_stages) = {
    .start = {.name = "physical start stress",
              .function = start_stress,
              .gathers = RATE_ROWS(DLP_FIELD_velocity),
              .joins_rows = true,
              .reads = {DLP_FIELD_position, DLP_FIELD_velocity, DLP_FIELD_correction_matrix, DLP_FIELD_specific_volume,
                        DLP_FIELD_pressure, OWN_conformation, OWN_spread, OWN_spread_square, OWN_trace_limit,
                        OWN_change_weight, OWN_strain_rate, OWN_strain_rate_change, OWN_largest_rate, OWN_depth,
                        OWN_tension, OWN_surface, OWN_surface_stress, LAW_READS, LAW_STATE_FIELDS},
              .writes = {LAW_FLOW_FIELDS, DLP_FIELD_velocity_gradient, OWN_pressure_flux, OWN_end_weight,
                         OWN_new_weight, OWN_solvent_weight, OWN_stabilization, OWN_tension_viscosity, OWN_bulk,
                         OWN_target_divergence},
              .pair_weights = DLP_PAIRS_READ,
              .writes_long_rows = true},
    .update = {.name = "physical update stress",
               .function = update_stress,
               .gathers = RATE_ROWS(DLP_FIELD_velocity),
               .joins_rows = true,
               .reads = {DLP_FIELD_correction_matrix, OWN_target_divergence, OWN_bulk, OWN_depth, OWN_strength,
                         DLP_FIELD_specific_volume, LAW_READS, FLOW_FIELDS},
               .writes = {LAW_STATE_FIELDS, OWN_law_energy, DLP_FIELD_pressure, OWN_conformation, OWN_strain_rate,
                          OWN_strain_rate_change, OWN_largest_rate, DLP_FIELD_velocity_gradient, DLP_FIELD_stress},
               .pair_weights = DLP_PAIRS_READ},
};
