/* Material laws in the particles of method physical. */
#include "methods/physical/physical_laws.h"

#include "materials/law_step.h"
#include "materials/maxwell.h"
#include "methods/physical/physical_fields.h"

#include <math.h>
#include <string.h>

bool dlp__physical_has_law(const dlp_MaterialDef *material)
{
    const dlp_MaterialDef *m = material;
    return m->flow_law != DLP_FLOW_NEWTONIAN || m->elastic_law != DLP_ELASTIC_MAXWELL || m->modes.count > 0 ||
           m->recovery_time > 0.0;
}

void dlp__physical_add_law_fields(dlp__Domains *domains, const dlp_MaterialDef *materials, int count)
{
    static const dlp__FieldId modes[] = {OWN_mode_2, OWN_mode_3, OWN_mode_4, OWN_mode_5,
                                         OWN_mode_6, OWN_mode_7, OWN_mode_8};
    dlp__FieldId fields[20] = {OWN_law_stress,    OWN_law_rates, OWN_law_stiffness, OWN_law_softening,
                               OWN_law_direction, OWN_law_slope, OWN_law_memory,    OWN_law_energy};
    int used = 8, most_modes = 1;
    bool is_thixotropic = false;
    for (int m = 0; m < count; m++) {
        most_modes = materials[m].modes.count > most_modes ? (int)materials[m].modes.count : most_modes;
        is_thixotropic |= materials[m].recovery_time > 0.0;
    }
    for (int mode = 1; mode < most_modes && mode < DLP_MODES_MOST; mode++) {
        fields[used++] = modes[mode - 1];
    }
    if (is_thixotropic) {
        fields[used++] = OWN_damage;
    }
    fields[used] = DLP_FIELD_NONE;
    dlp__require_memory(domains, dlp__domains_add_fields(domains, fields), "material laws");
}

/* Q - I of an element of a particle; null if it has no memory for it. */
static float *const *strain_field(const dlp__PhysicalFields *f, int mode)
{
    float *const *const fields[DLP_MODES_MOST] = {f->conformation, f->mode_2, f->mode_3, f->mode_4,
                                                  f->mode_5,       f->mode_6, f->mode_7, f->mode_8};
    return fields[mode][0] != NULL ? fields[mode] : NULL;
}

/* Elements that the law does not have stay undefined. */
static void load_state(dlp__LawState *state, const dlp__LawParts *law, const dlp__Particles *particles, int64_t i)
{
    const dlp__PhysicalFields *f = dlp__own_fields(particles);
    state->damage = f->damage[0] != NULL ? (double)f->damage[0][i] : 0.0;
    for (int mode = 0; mode < law->mode_count; mode++) {
        float *const *strain = strain_field(f, mode);
        for (int n = 0; n < 6; n++) {
            state->strain[mode][n] = strain != NULL ? (double)strain[n][i] : 0.0;
        }
    }
}

static void store_state(const dlp__LawState *state, const dlp__LawParts *law, dlp__Particles *particles, int64_t i)
{
    const dlp__PhysicalFields *f = dlp__own_fields(particles);
    if (f->damage[0] != NULL) {
        f->damage[0][i] = (float)state->damage;
    }
    for (int mode = 0; mode < law->mode_count; mode++) {
        float *const *strain = strain_field(f, mode);
        for (int n = 0; n < 6 && strain != NULL; n++) {
            strain[n][i] = (float)state->strain[mode][n];
        }
    }
}

double dlp__physical_shear_rate(const dlp__Particles *particles, int64_t i)
{
    const dlp__PhysicalFields *f = dlp__own_fields(particles);
    double square = 0.0;
    for (int n = 0; n < 6; n++) {
        const double rate = (double)f->strain_rate[n][i];
        square += (n < 3 ? 0.5 : 1.0) * rate * rate;
    }
    return sqrt(square);
}

/* An element in a step of dt: fractions and viscosity as in dlp__MaxwellFlow. */
typedef struct ElementStep {
    double retention, relaxed, viscosity, modulus;
} ElementStep;

static ElementStep element_step(const dlp__LawElement *element, double dt, double stiffest)
{
    const double x = element->relaxation * dt, relaxed = -expm1(-x);
    const double viscosity = x > 0.0 ? element->modulus * dt * (relaxed / x) : element->modulus * dt;
    const double retention = 1.0 - relaxed;
    const double part = dlp__at_most(1.0, stiffest * (1.0 - 0.9 * retention) / dlp__at_least(viscosity, 1e-300));
    return (ElementStep){retention, relaxed, part * viscosity, part * element->modulus};
}

/* Weights of materials/maxwell.h, damped. */
typedef struct StepWeights {
    double repeated, change, earlier;
} StepWeights;

static StepWeights step_weights(double x, double relaxed, double damping)
{
    const double undamped = 1.0 - damping;
    return (StepWeights){.repeated = damping - undamped * relaxed * (1.0 / 6.0 + 0.5 * relaxed),
                         .change = damping + undamped * dlp__maxwell_change_weight_of(x, 1.0 - relaxed, relaxed),
                         .earlier = undamped * 0.125 * relaxed * relaxed};
}

/* The flow of several elements and a viscosity as one: mean retention by modulus, sums of the others. */
static dlp__MaxwellFlow sum_flow(const dlp__LawParts *law, const ElementStep *element, double viscosity,
                                 double stiffest)
{
    const double solvent = law->material->solvent_viscosity;
    double modulus = 0.0, kept = 0.0, sum = dlp__at_most(viscosity, stiffest);
    for (int mode = 0; mode < law->mode_count; mode++) {
        modulus += element[mode].modulus;
        kept += element[mode].modulus * element[mode].retention;
        sum += element[mode].viscosity;
    }
    return (dlp__MaxwellFlow){.retention = (float)(modulus > 0.0 ? kept / modulus : 0.0),
                              .viscosity = (float)dlp__at_most(sum, stiffest),
                              .modulus = (float)modulus,
                              .limit = (float)law->limit,
                              .solvent = (float)dlp__at_most(solvent, stiffest),
                              .change_weight = (float)dlp__maxwell_change_weight(INFINITY)};
}

/* The flow of a state at a shear rate. */
static dlp__MaxwellFlow state_flow(const dlp__LawParts *law, const dlp__LawState *state, double shear_rate, double dt,
                                   double stiffest)
{
    dlp__LawElement element[DLP_MODES_MOST];
    ElementStep steps[DLP_MODES_MOST];
    dlp__law_elements(law, state, element);
    for (int mode = 0; mode < law->mode_count; mode++) {
        steps[mode] = element_step(&element[mode], dt, stiffest);
    }
    return sum_flow(law, steps, dlp__law_viscosity(law, shear_rate, state->damage), stiffest);
}

dlp__MaxwellFlow dlp__physical_law_flow(const dlp__LawParts *law, const dlp__Particles *particles, int64_t i, double dt,
                                        double stiffest)
{
    dlp__LawState state;
    load_state(&state, law, particles, i);
    return state_flow(law, &state, dlp__physical_shear_rate(particles, i), dt, stiffest);
}

dlp__MaxwellFlow dlp__physical_rest_flow(const dlp_MaterialDef *material, double shear_rate, double dt, double stiffest)
{
    const dlp__LawParts law = dlp__law_parts(material);
    const dlp__LawState state = {.damage = 0.0};
    return state_flow(&law, &state, shear_rate, dt, stiffest);
}

/* The velocity gradient of the last step: rotation as now, rate of strain as it was then. */
static void last_gradient(const dlp__Particles *p, int64_t i, double gradient[9])
{
    static const int above[3] = {1, 2, 5}, below[3] = {3, 6, 7};
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int n = 0; n < 3; n++) {
        const double turning = (double)p->velocity_gradient[above[n]][i] - (double)p->velocity_gradient[below[n]][i];
        const double across = (double)f->strain_rate[3 + n][i];
        gradient[4 * n] = 0.5 * (double)f->strain_rate[n][i];
        gradient[above[n]] = 0.5 * turning + 0.5 * across;
        gradient[below[n]] = 0.5 * -turning + 0.5 * across;
    }
}

/* 1/s, at the start of a step: that of the last step, or of the velocities of now if they are sheared more, because a host or an impact has
 * changed them: a fluid that thins without limit would be as good as solid in that step. */
static double present_shear_rate(const dlp__Particles *p, int64_t i)
{
    static const int above[3] = {1, 2, 5}, below[3] = {3, 6, 7};
    double square = 0.0;
    for (int n = 0; n < 3; n++) {
        const double along = (double)p->velocity_gradient[4 * n][i];
        const double across = (double)p->velocity_gradient[above[n]][i] + (double)p->velocity_gradient[below[n]][i];
        square += 2.0 * along * along + across * across;
    }
    return dlp__at_least(sqrt(square), dlp__physical_shear_rate(p, i));
}

/* Least viscosity against small changes of the rate over that of the flow. */
static const double LEAST_SLOPE = 0.05;

/* The same within a step, in which an element is also elastic: 1 + r dt over 1 + r dt / slope. */
static double step_slope(const dlp__LawParts *law, const dlp__LawState *state, const dlp__LawElement *element,
                         double rate, double dt)
{
    const double slope = dlp__at_least(dlp__law_slope(law, state, rate), 1e-6);
    if (law->kind != DLP_LAW_PLASTIC) {
        return dlp__at_least(slope, LEAST_SLOPE);
    }
    const double x = element[0].relaxation * dt;
    return dlp__at_least((1.0 + x) / (1.0 + x / slope), LEAST_SLOPE);
}

/* The direction of a stress: its deviator over its size, or zero. */
static void store_direction(const double stress[6], const dlp__PhysicalFields *f, int64_t i)
{
    const double mean = (stress[0] + stress[1] + stress[2]) / 3.0;
    double deviator[6], square = 0.0;
    for (int n = 0; n < 6; n++) {
        deviator[n] = stress[n] - (n < 3 ? mean : 0.0);
        square += (n < 3 ? 1.0 : 2.0) * deviator[n] * deviator[n];
    }
    const double scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    for (int n = 0; n < 6; n++) {
        f->law_direction[n][i] = (float)(scale * deviator[n]);
    }
}

/* One particle before the solve. */
static void begin_particle(const dlp__PhysicalArguments *arguments, const dlp__LawParts *law, dlp__Particles *p,
                           int64_t i, double damping)
{
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const double dt = (double)arguments->dt, stiffest = (double)arguments->stiffest / (double)p->specific_volume[0][i];
    dlp__LawState before, after;
    dlp__LawElement element[DLP_MODES_MOST];
    ElementStep steps[DLP_MODES_MOST];
    double gradient[9], stress[6] = {0};
    load_state(&before, law, p, i);
    after.damage = before.damage;
    memcpy(after.strain, before.strain, (size_t)law->mode_count * sizeof before.strain[0]);
    last_gradient(p, i, gradient);
    dlp__law_advance(law, gradient, dt, &after, element);
    double here = 0.0, last = 0.0, earlier = 0.0, stiffness = 0.0;
    for (int mode = 0; mode < law->mode_count; mode++) {
        const double *s = before.strain[mode], *t = after.strain[mode];
        const ElementStep step = steps[mode] = element_step(&element[mode], dt, stiffest);
        const StepWeights weights = step_weights(element[mode].relaxation * dt, step.relaxed, damping);
        for (int n = 0; n < 6; n++) {
            stress[n] += step.modulus * (s[n] + weights.repeated * (t[n] - s[n]));
        }
        here += weights.change * step.viscosity;
        last -= weights.change * step.viscosity;
        earlier += weights.earlier * step.viscosity;
        stiffness += weights.change * step.viscosity * (1.0 + step.retention * dlp__at_least(s[0] + s[1] + s[2], 0.0));
    }
    const double rate = present_shear_rate(p, i), viscous = dlp__law_viscosity(law, rate, before.damage);
    const dlp__MaxwellFlow flow = sum_flow(law, steps, viscous, stiffest);
    const double newtonian = dlp__at_most(viscous, stiffest) + (double)flow.solvent;
    const StepWeights weights = step_weights(INFINITY, 1.0, damping);
    here += weights.change * newtonian;
    last += (1.0 - weights.change) * newtonian;
    earlier += weights.earlier * newtonian;
    for (int n = 0; n < 6; n++) {
        f->law_stress[n][i] = (float)stress[n];
    }
    f->law_rates[0][i] = (float)here;
    f->law_rates[1][i] = (float)last;
    f->law_rates[2][i] = (float)-earlier;
    f->law_stiffness[0][i] = (float)(stiffness + weights.change * newtonian);
    /* the solvent does not thin */
    const double thinning = step_slope(law, &before, element, rate, dt), viscosity = (double)flow.viscosity;
    const double slope = (thinning * viscosity + (double)flow.solvent) /
                         dlp__at_least(viscosity + (double)flow.solvent, 1e-300);
    /* The geometric mean of both viscosities: with the full tangent a fluid that thins would be thrown back where it stops. */
    const double softened = law->kind == DLP_LAW_ELASTIC ? 0.0 : (1.0 - sqrt(slope)) * here;
    const double last_rate[6] = {(double)f->strain_rate[0][i], (double)f->strain_rate[1][i],
                                 (double)f->strain_rate[2][i], (double)f->strain_rate[3][i],
                                 (double)f->strain_rate[4][i], (double)f->strain_rate[5][i]};
    store_direction(law->kind == DLP_LAW_PLASTIC ? after.strain[0] : last_rate, f, i);
    f->law_softening[0][i] = (float)softened;
    f->law_slope[0][i] = (float)slope;
    f->law_memory[0][i] = law->kind == DLP_LAW_PLASTIC ? 0.0f : 1.0f;
    f->retention[0][i] = flow.retention;
    f->viscosity[0][i] = flow.viscosity;
    f->modulus[0][i] = flow.modulus;
    f->solvent[0][i] = flow.solvent;
    f->end_weight[0][i] = 1.0f - flow.retention * (float)(1.0 - damping);
    f->new_weight[0][i] = (float)(here / dlp__at_least((double)flow.viscosity + (double)flow.solvent, 1e-300));
    f->solvent_weight[0][i] = f->new_weight[0][i];
}

/* The law of the last particle, which is that of the next one if both have the same material and that does not vary. */
typedef struct LawCache {
    dlp__LawParts parts;
    dlp_MaterialDef hot; /* the material at the temperature of a particle, if that varies */
} LawCache;

static const dlp__LawParts *law_of(LawCache *cache, const dlp__StepContext *step, const dlp__Particles *p, int64_t i)
{
    const int m = p->material[0][i];
    if (dlp__heat_material_varies(step->heat, step->materials, m)) {
        cache->hot = dlp__heat_material(step->heat, step->materials, p, i);
        cache->parts = dlp__law_parts(&cache->hot);
    } else if (cache->parts.material != &step->materials[m]) {
        cache->parts = dlp__law_parts(&step->materials[m]);
    }
    return &cache->parts;
}

void dlp__physical_law_begin(const dlp__PhysicalArguments *arguments, dlp__Particles *particles, int64_t i, int count,
                             const float *damping)
{
    LawCache cache = {.parts.material = NULL};
    for (int k = 0; k < count && i + k < particles->count; k++) {
        begin_particle(arguments, law_of(&cache, arguments->step, particles, i + k), particles, i + k,
                       (double)damping[k]);
    }
}

/* One particle after the solve. */
static void end_particle(const dlp__PhysicalArguments *arguments, const dlp__LawParts *law, dlp__Particles *p,
                         int64_t i, double limit)
{
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    dlp__LawState state;
    dlp__LawElement element[DLP_MODES_MOST];
    double gradient[9], stress[6], energy = 0.0;
    load_state(&state, law, p, i);
    for (int n = 0; n < 9; n++) {
        gradient[n] = limit * (double)p->velocity_gradient[n][i];
    }
    dlp__law_advance(law, gradient, (double)arguments->dt, &state, element);
    store_state(&state, law, p, i);
    const double viscous = dlp__law_viscosity(law, dlp__physical_shear_rate(p, i), state.damage) +
                           law->material->solvent_viscosity;
    for (int n = 0; n < 6; n++) {
        stress[n] = viscous * (double)f->strain_rate[n][i];
    }
    for (int mode = 0; mode < law->mode_count; mode++) {
        for (int n = 0; n < 6; n++) {
            stress[n] += element[mode].modulus * state.strain[mode][n];
        }
        energy += dlp__maxwell_energy(element[mode].modulus, state.strain[mode]);
    }
    for (int n = 0; n < 6; n++) {
        p->stress[n][i] = (float)stress[n];
    }
    f->law_energy[0][i] = (float)energy;
}

void dlp__physical_law_end(const dlp__PhysicalArguments *arguments, dlp__Particles *particles, int64_t i, int count,
                           const float *limit)
{
    LawCache cache = {.parts.material = NULL};
    for (int k = 0; k < count && i + k < particles->count; k++) {
        end_particle(arguments, law_of(&cache, arguments->step, particles, i + k), particles, i + k, (double)limit[k]);
    }
}

void dlp__physical_law_break(dlp__Particles *particles, int64_t i, int count, const float *kept)
{
    const dlp__PhysicalFields *f = dlp__own_fields(particles);
    for (int mode = 1; mode < DLP_MODES_MOST; mode++) {
        float *const *strain = strain_field(f, mode);
        for (int n = 0; n < 6 && strain != NULL; n++) {
            for (int k = 0; k < count && i + k < particles->count; k++) {
                strain[n][i + k] *= kept[k];
            }
        }
    }
}

void dlp__physical_law_stress(const dlp_MaterialDef *material, const dlp__Particles *particles, int64_t i,
                              double stress[6])
{
    const dlp__LawParts law = dlp__law_parts(material);
    dlp__LawState state;
    load_state(&state, &law, particles, i);
    dlp__LawElement element[DLP_MODES_MOST];
    dlp__law_elements(&law, &state, element);
    memset(stress, 0, 6 * sizeof *stress);
    for (int mode = 0; mode < law.mode_count; mode++) {
        for (int n = 0; n < 6; n++) {
            stress[n] += element[mode].modulus * state.strain[mode][n];
        }
    }
}

double dlp__physical_law_viscosity(const dlp_MaterialDef *material, const dlp__Particles *particles, int64_t i)
{
    const dlp__LawParts law = dlp__law_parts(material);
    dlp__LawState state;
    load_state(&state, &law, particles, i);
    return dlp__law_viscosity(&law, dlp__physical_shear_rate(particles, i), state.damage) + material->solvent_viscosity;
}
